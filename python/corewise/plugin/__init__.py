"""The public modules for packages that extend corewise, such as the laboratory (laboratory/).

The modules corewise.errors, corewise.model and corewise.statistics are public, too. All other modules may
change without notice.
"""
