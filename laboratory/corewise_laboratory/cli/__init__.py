"""The laboratory's commands: one file per subcommand, which `corewise` loads when it is called."""

# Sorted by name; the sentence is the one of `corewise --help`.
COMMANDS: dict[str, str] = {
    "bench": "A micro-benchmark.",
    "lab": "Clusters on one machine: network namespaces, Slurm daemons, a NUMA virtual machine.",
    "study": "A paper's experiment, compared with the paper's claims.",
    "sweep": "A grid of policies, bindings or anything else, repeated, with statistics.",
}
