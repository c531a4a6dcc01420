"""Laws of hands: their buttons keep their slots, and words say what text says."""
