"""Computer players in matches: which levels can be asked, and who makes their acts."""
