"""What a bot sends, read field by field and refused where Discord refuses it."""
