"""Crowd: ranks of one host that have fewer hardware threads than they are."""

from __future__ import annotations

from corewise.nouns.codec import Count, Noun


class Crowd(Noun, frozen=True):
    """`n_ranks` ranks of `host` had `n_pus` hardware threads to run on, which are fewer."""

    host: str
    n_ranks: Count
    n_pus: Count
