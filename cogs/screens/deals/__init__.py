"""How a deal's seal, salts and proof are shown."""
