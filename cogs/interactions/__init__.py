"""Answering interactions in time: age, deferral, responses, validation of what was sent."""
