"""The nouns that commands pass on in files: one typed definition each, and the codec that they share."""
