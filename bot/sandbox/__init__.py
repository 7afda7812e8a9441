"""`yorisoi sandbox`: runs drafts and shows what came of them."""
