"""A ReFrame check that fails when the launcher's default binding is wrong at your site.

    reframe -C SETTINGS.py -c corewise_binding.py -r -S DefaultBinding.num_tasks=8

(-S DefaultBinding.modules=corewise where corewise is an environment module.)

It starts the launcher of each system partition and environment, with a small program that reports masks.
"""

import json

import reframe as rfm
import reframe.utility.sanity as sn
from reframe.core.backends import getlauncher
from reframe.core.builtins import run_before, sanity_function, variable


@rfm.simple_test
class DefaultBinding(rfm.RunOnlyRegressionTest):
    """Ranks have their own cores, one for each of their `num_threads` threads."""

    descr = "what `corewise check` finds in the default binding"
    valid_systems = ["*"]
    valid_prog_environs = ["*"]
    num_tasks = 2
    num_threads = variable(int, value=1)
    program = variable(str, value="true")  # an MPI program of yours: its MPI and its threads count, too

    @run_before("run")
    def ask_corewise(self):
        """The launcher's own command goes to corewise, which starts it."""
        self.job.num_tasks = self.num_tasks
        command = self.job.launcher.run_command(self.job)
        self.job.launcher = getlauncher("local")()
        self.env_vars["OMP_NUM_THREADS"] = self.num_threads
        self.executable = "corewise"
        self.executable_opts = ["check", "--json", "--", command, self.program]

    @sanity_function
    def nothing_is_wrong(self):
        """Every rank was seen, and no trap was found; the message has the corrected command."""
        with open(sn.evaluate(self.stdout)) as output, open(sn.evaluate(self.stderr)) as messages:
            printed, errors = output.read(), messages.read().strip()
        sn.evaluate(sn.assert_true(printed, f"corewise gave no answer: {errors or 'nothing was printed'}"))
        answer = json.loads(printed)
        found = [
            one["found"] + (f"; corrected: {one['command']}" if one["command"] else "")
            for one in answer["findings"]
        ]
        return sn.all(
            [
                sn.assert_false(found, "; ".join(found)),
                sn.assert_eq(len(answer["ranks"]), self.num_tasks, "only {0} of {1} ranks were seen"),
            ]
        )
