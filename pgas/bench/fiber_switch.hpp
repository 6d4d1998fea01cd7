// Measures a switch between two fibers, without the scheduler.
#pragma once

/// @return ns per switch, the mean of many switches. Call it only in a task.
double fiber_switch_ns();
