"""Bad input: everything that people, forgers and other versions may send, held against the laws of an answer."""
