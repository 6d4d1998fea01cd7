// What a bare switch between two fibers costs, without the scheduler.
#pragma once

/// @return ns a switch, the mean over many back and forth; only in a task.
double fiber_switch_ns();
