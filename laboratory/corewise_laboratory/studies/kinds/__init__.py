"""The register of kinds of runs; one file for each."""

from corewise_laboratory.studies.kinds import (
    decisions,
    emulated,
    links,
    placed,
    size_classes,
    steered,
    thread_places,
    threads,
)
from corewise_laboratory.studies.kinds.kind import Kind

# Sorted by name: the values of `kind` in a study's [runs.NAME].
KINDS: dict[str, Kind] = {
    row.KIND.name: row.KIND
    for row in (
        decisions,
        emulated,
        links,
        placed,
        size_classes,
        steered,
        thread_places,
        threads,
    )
}
