"""The computer player of Tiv-Miv, a race."""
