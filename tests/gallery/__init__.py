"""The gallery: all screens of all games on one page, for review (`make gallery`)."""
