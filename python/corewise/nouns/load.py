"""Load: how busy the host of a measurement was, before it and with other programs during it."""

from __future__ import annotations

from corewise.nouns.codec import Count, Noun, Number

# With this load per hardware thread or more, the ranks of a program wait for time slices of other programs.
BUSY_BEFORE = 0.5
# Measured on 26 November 2026 with examples/halo.c: if another program uses a tenth of 2 hardware threads, in
# bursts every 0.1 s, 2 ranks take 4.0 % longer (3.1 to 4.7 %; half of that: 2.7 %, twice: 6.2 %).
BUSY_DURING = 0.1


class Load(Noun, frozen=True):
    """`before` is the load average of the minute before the measurement, on `n_threads` hardware threads.

    `others` is how many of them other programs used on average during the measurement, None if unknown.
    """

    before: Number
    others: Number | None
    n_threads: Count

    @property
    def is_busy(self) -> bool:
        """Whether the times are not those of an idle host. `before` counts only if `others` is unknown."""
        if self.others is None:
            return self.before >= BUSY_BEFORE * self.n_threads
        return self.others >= BUSY_DURING * self.n_threads

    @property
    def busy_note(self) -> str | None:
        """One sentence for a busy host; None for an idle one."""
        if not self.is_busy:
            return None
        return f"The machine is busy: {self.text}; measure again when it is idle."

    @property
    def text(self) -> str:
        """`load 5.7 on 2 hardware threads before the runs, other programs on 1.6 of them during the runs`."""
        before = f"load {self.before:.1f} on {self.n_threads} hardware threads before the runs"
        if self.others is None:
            return before
        return f"{before}, other programs on {self.others:.1f} of them during the runs"
