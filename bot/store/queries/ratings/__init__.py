"""What ratings depend on beside the standings: encounters, held ratings, starts, and what each match changed."""
