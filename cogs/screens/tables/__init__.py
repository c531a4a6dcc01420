"""The table of a match, as a picture and in words."""
