"""What a reply is checked for before anybody sees it; `registry.py` has the order."""
