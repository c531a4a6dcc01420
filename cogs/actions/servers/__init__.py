"""What the moderators of a server do: `/settings` and `/calloff`. And the threads that matches get."""
