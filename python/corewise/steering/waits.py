"""How much of their time the ranks of a steered run waited before the first swap and after the last."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from corewise.files.steer_story import Story, WaitTime


def wait_shares(stories: Iterable[Story]) -> tuple[float | None, float | None]:
    """Parts of the ranks' time, from the stories of all logs, those of one node in order of time.

    Where swaps were done on some nodes alone, only their ranks count, so that both parts are of the same
    ranks; where none was done, the first part is of the whole time and the second is None. A part is None
    where the ranks have no time either.
    """
    logs_of: dict[int, list[Story]] = {}
    for story in stories:
        logs_of.setdefault(story["node"], []).append(story)
    swapped = [logs for logs in logs_of.values() if any(map(_swapped, logs))]
    before = [story["time_before"] for logs in swapped or logs_of.values() for story in _before(logs)]
    after = [time for logs in swapped for time in _times_after(logs)]
    return _share(before), _share(after)


def _swapped(story: Story) -> bool:
    return story["time_after"] is not None


def _before(logs: Sequence[Story]) -> Sequence[Story]:
    """The logs up to that of the first swap; all where none was done."""
    first = next((number for number, story in enumerate(logs) if _swapped(story)), len(logs))
    return logs[: first + 1]


def _times_after(logs: Sequence[Story]) -> list[WaitTime]:
    """What follows the last swap in its log, and the whole time of the logs behind that."""
    last = max(number for number, story in enumerate(logs) if _swapped(story))
    after = logs[last]["time_after"]
    assert after is not None
    return [after, *(story["time_before"] for story in logs[last + 1 :])]


def _share(times: Iterable[WaitTime]) -> float | None:
    waited_s = all_s = 0.0
    for time in times:
        waited_s += time["wait_s"]
        all_s += time["all_s"]
    return waited_s / all_s if all_s > 0 else None
