"""What people see, without Discord: screens, sentences, pages, names."""
