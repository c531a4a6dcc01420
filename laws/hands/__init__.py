"""Laws of hands: their buttons keep their places, and words say what text says."""
