"""Di Dio Lavore et al.: thread policies and process bindings of a runtime on three machines."""

from __future__ import annotations

from corewise_laboratory.studies.claims import claim, is_zero, positive
from corewise_laboratory.studies.rows import Rows
from corewise_laboratory.studies.study import Paper, Study
from corewise_laboratory.studies.threads import ThreadPlaces, Workloads

MACHINES = ["devcluster", "deception", "perlmutter"]


def crowded(rows: Rows) -> float:
    """The lesser of most shared and most idle cores: above 0, threads share cores while others idle."""
    return float(min(rows("shared_cores").max(), rows("idle_cores").max()))


FIG2 = Study(
    "lavore-fig2",
    {
        "places": ThreadPlaces(
            machines=MACHINES,
            policies=["default", "singlified", "new_pin", "pin"],
            bindings=["board", "socket", "numa"],
        ),
        "times": Workloads(
            policies=["default", "singlified", "new_pin"],
            bindings=["board", "socket", "numa"],
            scales={
                "black-scholes": {"quick": "1e-3", "full": "4e-3"},
                "pi": {"quick": "2e-2", "full": "8e-2"},
                "triangles": {"quick": "8e-3", "full": "3e-2"},
                # The paper doesn't draw its motifs: which pattern has which number is our choice.
                "motif_1": {"quick": "0.2", "full": "1"},
                "motif_2": {"quick": "0.2", "full": "1"},
                "motif_5": {"quick": "0.2", "full": "1"},
            },
            nodes={"quick": [2], "full": [8]},
        ),
    },
    [
        claim(
            "lavore-sec2-default-mask-of-parent",
            lambda rows: float(rows("narrowed").max()),
            is_zero,
            policy="default",
        ),
        claim(
            "lavore-sec2-singlified-drops-virtual-units",
            lambda rows: float(rows("doubled_cores").max()),
            is_zero,
            machine="perlmutter",
            policy="singlified",
        ),
        claim(
            "lavore-sec2-new-pin-one-physical-core",
            lambda rows: float((rows("shared_cores") + rows("outside")).sum()),
            is_zero,
            policy="new_pin",
        ),
        claim(
            "lavore-sec2-pin-assumes-one-unit-per-core",
            lambda rows: max(crowded(each) for each in rows.per("binding")),
            positive,
            machine="perlmutter",
            policy="pin",
        ),
        claim(
            "lavore-sec2-pin-assumes-linear-ids",
            lambda rows: float(rows("outside").max()),
            positive,
            policy="pin",
        ),
    ],
)

FIG3 = Study(
    "lavore-fig3",
    {
        "places": ThreadPlaces(
            machines=MACHINES, policies=["new_pin", "singlified", "pin"], bindings=["board", "socket"]
        ),
        "times": Workloads(
            policies=["new_pin", "singlified", "pin"],
            bindings=["board", "socket"],
            scales={"triangles": {"quick": "8e-3", "full": "3e-2"}},
            nodes={"quick": [2, 4], "full": [2, 4, 8, 16]},
        ),
    },
    [
        claim(
            "lavore-fig3-pin-socket-oversubscribes-cores",
            lambda rows: min(crowded(each) for each in rows.per("machine")),
            positive,
            policy="pin",
            binding="socket",
        )
    ],
)

LAVORE = Paper(
    "lavore",
    "Di Dio Lavore et al.: Exploring Architectural-Aware Affinity Policies in Modern HPC Runtimes, PEARC "
    "2024",
    [FIG2, FIG3],
)
