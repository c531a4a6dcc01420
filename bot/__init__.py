"""The application: matches, invitations, clocks, the store, the connection; nothing of Discord's look."""
