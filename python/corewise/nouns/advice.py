"""Advice: does placement matter, by how much, how sure, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal

from corewise.nouns.codec import Noun, Number
from corewise.nouns.gain import Gain
from corewise.text.quantities import percent_text, value_text

if TYPE_CHECKING:
    from corewise import model

GAIN = "1 - t_best / t_default"
# The model covers data transfer only. In a timed run, its gain therefore applies to transfer's share.
GAIN_OF_RUN = f"transfer's share of the run * ({GAIN} of the objective time)"


class Advice(Noun, frozen=True):
    """Does placement matter, by how much, how sure, and why.

    `gain` is the gain of what `gain_of` names: the whole run if it was timed, else communication only. It is
    computed from the values of the objective `compared_by` under both placements. `ratio` is inter-node over
    intra-node bytes, None if it is undefined. `transfer_share` is the fraction of the run spent in transfer,
    None if the run was not timed. `offer_spread`: at these message sizes, the network is faster than shared
    memory.
    """

    DERIVED: ClassVar[tuple[str, ...]] = ("gain_formula",)

    matters: Literal["yes", "no", "unsure"]
    gain: Gain
    ratio: Number | None
    because: str
    offer_spread: bool
    compared_by: str
    gain_of: Literal["run", "communication"] = "run"
    transfer_share: Number | None = None

    @classmethod
    def of(cls, found: model.Advice, compared_by: str) -> Advice:
        """The advice of the C++ core as a noun."""
        gain = Gain(found.gain.low, found.gain.expected, found.gain.high)
        same = ("matters", "ratio", "because", "offer_spread", "gain_of", "transfer_share")
        return cls(gain=gain, compared_by=compared_by, **{name: getattr(found, name) for name in same})

    @property
    def verdict(self) -> str:
        """The answer in a few words."""
        return {"yes": "Placement matters", "no": "Keep the default", "unsure": "Unsure"}[self.matters]

    @property
    def gain_formula(self) -> str:
        """The formula of the gain."""
        return GAIN_OF_RUN if self.gain_of == "run" else GAIN

    def compared_text(self, default: float, best: float) -> str:
        """The values of the objective from which the gain is computed, in one sentence."""
        from corewise.model import objective

        is_time = self.compared_by == "time"
        what = "Communication alone (objective time)" if is_time else self.compared_by.capitalize()
        of_both = [value_text(value, objective(self.compared_by).unit) for value in (default, best)]
        values = f"{what}: {of_both[0]} by default, {of_both[1]} under the best placement"
        if default <= 0 or default == best:
            return f"{values}."
        if self.gain.low == self.gain.high == 0:  # all cores are equally near to each other
            return f"{values}. They differ in which ranks share a core, and nothing is predicted from that."
        gain = f"{values}, {percent_text(1 - best / default)} less"
        if self.gain_of != "run" or self.transfer_share is None:
            return f"{gain}."
        return f"{gain}. It is {percent_text(self.transfer_share)} of the run as traced."
