"""`python -m tools.prove`: what only the real Discord can tell, measured by an operator with a token and one server."""
