"""The faults of the list, each brought about for real; a test's name bears the number of its fault."""
