"""Requests to Discord: refused while another process may serve, limited in number, and watched."""
