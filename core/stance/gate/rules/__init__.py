"""The rules of the gate, one file each; `core/stance/gate/registry.py` has the order."""
