"""Long runs that look for what short tests seldom meet; `python -m tests.soak --help` tells what there is."""
