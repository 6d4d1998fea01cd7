/* See sample.h. */
#include "sample.h"

#include <stdbool.h>

#include "monitors/registry.h"

static int64_t larger(int64_t a, int64_t b) { return a > b ? a : b; }

#define EMPTY(least) ((least) < 0 ? -1 : 0)

struct cw_rank_sample cw_rank_sample_empty(void) {
  return (struct cw_rank_sample){
#define CW_RANK_FIELD(name, unit, rule, least, ...) .name = EMPTY(least),
#include "sample.def"
  };
}

struct cw_core_sample cw_core_sample_empty(void) {
  return (struct cw_core_sample){
#define CW_CORE_FIELD(name, unit, rule, least, ...) .name = EMPTY(least),
#include "sample.def"
  };
}

#define GROWN_KEY(now, before) (now)
#define GROWN_LAST(now, before) (now)
#define GROWN_GREATEST(now, before) (now)
#define GROWN_TOTAL(now, before) ((now) < 0 ? (now) : cw_grown(now, before))

struct cw_rank_sample cw_rank_sample_growth(const struct cw_rank_sample* now,
                                            const struct cw_rank_sample* before) {
  return (struct cw_rank_sample){
#define CW_RANK_FIELD(name, unit, rule, ...) .name = GROWN_##rule(now->name, before->name),
#include "sample.def"
  };
}

static bool is_counted(unsigned counted, enum cw_monitor_id monitor) {
  return monitor == CW_MONITOR_NONE || (counted >> monitor & 1) != 0;
}

struct cw_core_sample cw_core_sample_growth(const struct cw_core_sample* now, struct cw_core_sample* before,
                                            unsigned counted) {
  struct cw_core_sample growth = cw_core_sample_empty();
#define CW_CORE_FIELD(name, unit, rule, least, most, monitor, meaning) \
  if (is_counted(counted, CW_MONITOR_##monitor)) {                     \
    growth.name = GROWN_##rule(now->name, before->name);               \
    before->name = now->name;                                          \
  }
#include "sample.def"
  return growth;
}

#define ADD_KEY(sum, next) (void)(next)
#define ADD_LAST(sum, next) (sum) = (next)
#define ADD_GREATEST(sum, next) (sum) = larger(sum, next)
#define ADD_TOTAL(sum, next) (sum) = (sum) < 0 || (next) < 0 ? -1 : (sum) + (next)

void cw_rank_sample_add(struct cw_rank_sample* sum, const struct cw_rank_sample* sample) {
#define CW_RANK_FIELD(name, unit, rule, ...) ADD_##rule(sum->name, sample->name);
#include "sample.def"
}

void cw_core_sample_add(struct cw_core_sample* sum, const struct cw_core_sample* sample) {
#define CW_CORE_FIELD(name, unit, rule, ...) ADD_##rule(sum->name, sample->name);
#include "sample.def"
}
