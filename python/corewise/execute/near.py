"""Near: the devices that ranks are to be near, and what follows for each rank's environment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from corewise.errors import InputError
from corewise.launchers.device_variables import VARIABLES, threads_near, variables_of
from corewise.machines.devices import devices_of_ranks

if TYPE_CHECKING:
    from corewise.files.placement import PlacementFile
    from corewise.model import Machine


@dataclass(frozen=True)
class Near:
    """`wanted` is "gpu", "nic" or a device's name; `machine` is the one of the command's hosts."""

    wanted: str
    machine: Machine

    def variables(
        self, placement: PlacementFile, environment: Mapping[str, str]
    ) -> tuple[dict[str, str], ...]:
        """[rank] what shows it its device alone, and puts its communication threads near that.

        Raises InputError where a rank is near none, and where the environment already chooses devices.
        """
        devices = devices_of_ranks(placement, self.machine, self.wanted)
        shown = [
            variables_of(device, self.machine.devices(node))
            for device, node in zip(devices, placement.node, strict=True)
        ]
        for name in sorted({name for variables in shown for name in variables if name in VARIABLES}):
            if name in environment:
                raise InputError(
                    f"{name}={environment[name]} is set already; unset it, so that each rank is shown its "
                    "own device (--near)"
                )
        settings = environment.get("COREWISE_AFFINITY", "")
        return tuple(one | threads_near(device, settings) for one, device in zip(shown, devices, strict=True))
