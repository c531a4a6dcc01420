"""Works out again what is kept beside the results, and replaces what differs."""
