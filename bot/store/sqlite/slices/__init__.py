"""What would hold the database's thread for long, in slices: lists read by page, and rows deleted a few at a time."""
