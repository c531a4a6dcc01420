"""What profiles are made of: each person's results in their order, and whom they met."""
