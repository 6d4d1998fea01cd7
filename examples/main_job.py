"""The main job from Python: does placement matter on draco, which one is best, and how is it started?

python examples/main_job.py
"""

import corewise
import numpy as np

# Bytes [src, dst]: 16 ranks, each of which sends a megabyte to the rank 8 further on.
sent_bytes = np.roll(np.eye(16), 8, axis=1) * 1e6

traffic = corewise.read(sent_bytes)
machine = corewise.machine("draco:2")
advice = corewise.advise(traffic, machine)
print(f"{advice.matters}: {advice.because}")
best = corewise.map(traffic, machine)
print(corewise.export(best, "openmpi4", machine, hosts=["n1", "n2"]).command_text)
