"""First lessons: a guided hand of a game, how far a learner has come in it, and what they see."""
