"""Zhang et al.: the collectives, the random benchmark and NAS on Draco and Jaguar, best against worst."""

from corewise_laboratory.studies.study import Paper
from corewise_laboratory.studies.zhang.nas import NAS_STUDIES
from corewise_laboratory.studies.zhang.patterns import PATTERN_STUDIES

ZHANG = Paper(
    "zhang",
    "Zhang, Yuan, Srinivasan: Processor Affinity and MPI Performance on SMP-CMP Clusters",
    [*PATTERN_STUDIES, *NAS_STUDIES],
)
