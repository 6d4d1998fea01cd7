"""Repeated experiments of papers: a .toml file per study, and a driver, which judges the papers' claims."""
