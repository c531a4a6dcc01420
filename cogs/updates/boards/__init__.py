"""What boards show, kept so that a start paints only those that changed."""
