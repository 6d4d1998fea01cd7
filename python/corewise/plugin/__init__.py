"""What packages that extend corewise may import in addition to `corewise` itself: one named door a module.

The laboratory (laboratory/) is such a package. The modules corewise.errors, corewise.model and
corewise.statistics are public, too. All other modules may change without notice.
"""
