/* The table of the idleness metric: which level of core a behaviour asks for. */
#ifndef COREWISE_STEER_METRICS_IDLENESS_H
#define COREWISE_STEER_METRICS_IDLENESS_H

enum cw_idleness { CW_IDLE_LOW, CW_IDLE_MEDIUM, CW_IDLE_HIGH };
enum cw_core_level { CW_CORE_REDUCED, CW_CORE_FULL };

/* Where a process of this behaviour on a core of this level should be (the paper's figure 5). */
enum cw_core_level cw_idleness_target(enum cw_idleness idleness, enum cw_core_level level);

#endif
