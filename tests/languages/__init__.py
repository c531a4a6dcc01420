"""Languages: two that are made up, and the laws that every catalogue keeps."""
