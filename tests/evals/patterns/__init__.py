"""Looking for regular expressions of the program that one awkward text could hold up."""
