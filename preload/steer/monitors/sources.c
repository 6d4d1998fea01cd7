/* The functions of all monitors. */
#include "source.h"

#define CW_MONITOR(id, name, ...) extern const struct cw_source cw_source_##name;
#include "monitors.def"

const struct cw_source* const cw_sources[CW_N_MONITORS] = {
#define CW_MONITOR(id, name, ...) &cw_source_##name,
#include "monitors.def"
};
