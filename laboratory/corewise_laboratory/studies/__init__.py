"""The papers' experiments: one .toml each and one driver, at the scale that fits here, next to the claims."""
