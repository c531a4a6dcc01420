"""That the laws can fail: games and presenters with a planted fault are found, and cases that lack something."""
