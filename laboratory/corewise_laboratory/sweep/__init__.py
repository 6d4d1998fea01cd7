"""`corewise sweep`: repeated runs of a grid of configurations, with statistics and figures."""
