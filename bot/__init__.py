"""The application: matches, invitations, clocks, the store, the connection; nothing about how Discord looks."""
