"""What people read of how reliably somebody plays."""
