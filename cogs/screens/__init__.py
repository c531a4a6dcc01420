"""What matches, invitations and rules look like: pure functions from what a reader may know to a screen."""
