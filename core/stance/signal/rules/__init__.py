"""One file for each rule of the signal."""
