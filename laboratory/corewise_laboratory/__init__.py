"""The laboratory of corewise: micro-benchmarks, emulated clusters, sweeps, and repeated experiments.

It uses the public interface of corewise, which finds the laboratory's commands by an entry point.
"""
