"""What speaks for a move, game by game: facts that a player can check on their own cards. See `Presenter.reasons`."""
