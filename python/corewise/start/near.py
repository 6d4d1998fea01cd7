"""Near: gives each rank the environment variables of a device near its cores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from corewise.errors import InputError, option
from corewise.launchers.device_variables import NETWORK, gpus_of_job, in_job, threads_near, variables_of

if TYPE_CHECKING:
    from corewise.model import Device, Machine
    from corewise.nouns.placement import Placement


@dataclass(frozen=True)
class Near:
    """`wanted` is "gpu", "nic", a GPU vendor or a device's name; `machine` is that of the command's hosts."""

    wanted: str
    machine: Machine

    def variables(self, placement: Placement, environment: Mapping[str, str]) -> tuple[dict[str, str], ...]:
        """[rank] variables that make only its device visible and place communication threads near the device.

        Raises InputError as shown() does.
        """
        settings = environment.get("COREWISE_AFFINITY", "")
        return tuple(
            variables | threads_near(device, settings)
            for device, variables in self._of_ranks(placement, environment)
        )

    def shown(self, placement: Placement, environment: Mapping[str, str]) -> tuple[dict[str, str], ...]:
        """[rank] variables that make only its device visible.

        If the environment lists the job's GPUs, ranks get only those. Raises InputError if a rank is near no
        device, if the environment already chooses network cards, or if the vendor's name of a GPU is unknown.
        """
        return tuple(variables for _, variables in self._of_ranks(placement, environment))

    def _of_ranks(
        self, placement: Placement, environment: Mapping[str, str]
    ) -> list[tuple[Device, dict[str, str]]]:
        """[rank] its device, and the variables that make only this device visible."""
        from corewise.machines.devices import devices_of_ranks, job_devices

        devices = devices_of_ranks(placement, self.machine, self.wanted)
        on_node = job_devices(self.machine, self.wanted)
        if gpus_of_job(environment):
            given = [
                self._given(node, on_node[node], placement, environment) if node in placement.node else {}
                for node in range(self.machine.n_nodes)
            ]
            devices = devices_of_ranks(placement, self.machine, self.wanted, given)
            shown = [
                given[node][device.bus_id, device.part]
                for device, node in zip(devices, placement.node, strict=True)
            ]
        else:
            shown = [
                self._variables_of(device, node, len(on_node[node]), environment)
                for device, node in zip(devices, placement.node, strict=True)
            ]
        if NETWORK in environment and any(NETWORK in variables for variables in shown):
            raise InputError(
                f"{NETWORK}={environment[NETWORK]} is set already; unset it, so that each rank is shown its "
                f"own device ({option('near')})"
            )
        return list(zip(devices, shown, strict=True))

    @property
    def gpus_per_node(self) -> int:
        """The number of matching GPUs on a node, the maximum over the nodes; 0 for network cards."""
        from corewise.machines.devices import job_devices

        on_node = job_devices(self.machine, self.wanted)
        return max(len({one.bus_id for one in found if one.kind == "gpu"}) for found in on_node)

    def _variables_of(
        self, device: Device, node: int, n_alike: int, environment: Mapping[str, str]
    ) -> dict[str, str]:
        on_node = self.machine.devices(node)
        return variables_of(device, on_node, self.machine.n_nodes, n_alike, environment)

    def _given(
        self, node: int, devices: Sequence[Device], placement: Placement, environment: Mapping[str, str]
    ) -> dict[tuple[str, int], dict[str, str]]:
        """(PCI bus ID, part) -> its variables, for each device that the job may use."""
        found = {}
        for device in devices:
            variables = self._variables_of(device, node, len(devices), environment)
            if (shown := in_job(variables, environment)) is not None:
                found[device.bus_id, device.part] = shown
        if len(found) < len(devices) and len(set(placement.node)) > 1:
            raise InputError(
                "the environment gives the job some GPUs of this host, and says nothing of the other nodes'; "
                "start one node's ranks, or ask the batch system for all GPUs of each node"
            )
        if not found:
            raise InputError(
                f"no {self.wanted} of '{self.machine.name}' is one that the job was given "
                f"({gpus_of_job(environment)}); expected numbers as the driver counts them"
            )
        return found
