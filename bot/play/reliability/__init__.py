"""How reliably people play: who leaves matches, who answers in time, and what others may read of that."""
