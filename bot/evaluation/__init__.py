"""`yorisoi eval`: holds talks through the real pipeline and shows how they went."""
