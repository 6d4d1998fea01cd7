"""Leng et al.: HPL on clusters of two ranks a node, under mappings by the frequency and size of messages."""

from corewise_laboratory.studies.leng.emulation import EMULATED
from corewise_laboratory.studies.leng.networks import FIG5_11
from corewise_laboratory.studies.leng.traces import FIG2, FIG3_4
from corewise_laboratory.studies.study import Paper

LENG = Paper(
    "leng",
    "Leng, Ali, Hsieh, Mashayekhi, Rooholamini: Performance Impact of Process Mapping on Small-Scale SMP "
    "Clusters - A Case Study Using High Performance Linpack",
    [FIG2, FIG3_4, FIG5_11, EMULATED],
)
