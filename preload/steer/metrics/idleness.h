/* The decision table of the idleness metric. */
#ifndef COREWISE_STEER_METRICS_IDLENESS_H
#define COREWISE_STEER_METRICS_IDLENESS_H

enum cw_idleness { CW_IDLE_LOW, CW_IDLE_MEDIUM, CW_IDLE_HIGH };
enum cw_core_level { CW_CORE_REDUCED, CW_CORE_FULL };

/* Level of core for a process with this idleness that is on this level now (Scogland et al., figure 5). */
enum cw_core_level cw_idleness_target(enum cw_idleness idleness, enum cw_core_level level);

#endif
