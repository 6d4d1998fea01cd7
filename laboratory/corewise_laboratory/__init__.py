"""The laboratory of corewise: what the tool is tested with, and what repeats experiments of papers.

It uses the public interface of the tool; the tool knows its commands by an entry point alone.
"""
