"""What decided a match, once it is over: its curve, and the moves that cost most. Hints in words."""
