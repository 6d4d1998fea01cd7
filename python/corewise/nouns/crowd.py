"""Crowd: more ranks on one host than hardware threads that they may use."""

from __future__ import annotations

from corewise.nouns.codec import Count, Noun


class Crowd(Noun, frozen=True):
    """`n_ranks` ranks of `host` share `n_pus` hardware threads, fewer than one each."""

    host: str
    n_ranks: Count
    n_pus: Count
