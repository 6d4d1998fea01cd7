"""A grid of configurations of any command: repeated in random order, resumed, summed up, drawn."""
