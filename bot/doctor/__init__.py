"""`yorisoi doctor`: looks at everything a start depends on and says how to mend what is wrong."""
