"""The laboratory's commands: one file per subcommand, which `corewise` loads only for that subcommand."""

# Sorted by name, with the sentences for `corewise --help`.
COMMANDS: dict[str, str] = {
    "bench": "A micro-benchmark.",
    "lab": "Clusters on one machine: network namespaces, Slurm daemons, a NUMA virtual machine.",
    "study": "A paper's experiment, compared with the paper's claims.",
    "sweep": "A grid of policies, bindings or other settings, repeated, with statistics.",
}
