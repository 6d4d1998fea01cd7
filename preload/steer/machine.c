/* See machine.h. */
#include "machine.h"

#include <stdio.h>
#include <string.h>

static const struct cw_field FIELDS[] = {
    CW_NUMBER(cw_steer_core, id, 0, CW_STEER_MOST_CORES - 1),
    CW_LIST(cw_steer_core, pus, 0, 65535),
    CW_LIST(cw_steer_core, caches, 0, 65535),
    CW_NUMBER(cw_steer_core, numa, 0, 65535),
    CW_NUMBER(cw_steer_core, package, 0, 65535),
    CW_NUMBER(cw_steer_core, capability, 1, 1000),
};
static const size_t N_FIELDS = sizeof FIELDS / sizeof FIELDS[0];

static bool has_pu_of(const struct cw_steer_core* core, const struct cw_steer_core* other) {
  for (int32_t i = 0; i < core->pus.n; ++i) {
    for (int32_t j = 0; j < other->pus.n; ++j) {
      if (core->pus.at[i] == other->pus.at[j]) return true;
    }
  }
  return false;
}

static bool repeats_pu(const struct cw_steer_machine* machine, const struct cw_steer_core* core) {
  for (int32_t i = 0; i < machine->n_cores; ++i) {
    if (has_pu_of(core, &machine->cores[i])) return true;
  }
  return false;
}

bool cw_steer_machine_add_line(struct cw_steer_machine* machine, const char* line, char* message) {
  const char* fields = cw_after_word(line, "core");
  if (!fields) {
    snprintf(message, CW_MESSAGE_BYTES, "found '%.60s'; expected 'core id=... pus=...'", line);
    return false;
  }
  struct cw_steer_core core = {.capability = 1000};
  if (!cw_fields_read(fields, FIELDS, N_FIELDS, &core, message)) return false;
  if (core.id != machine->n_cores) {
    snprintf(message, CW_MESSAGE_BYTES, "found core %lld; expected core %d: cores are in order from 0",
             (long long)core.id, machine->n_cores);
  } else if (core.pus.n == 0) {
    snprintf(message, CW_MESSAGE_BYTES, "found core %lld without pus; expected at least one",
             (long long)core.id);
  } else if (machine->n_cores > 0 && core.caches.n != machine->cores[0].caches.n) {
    snprintf(message, CW_MESSAGE_BYTES, "found %d caches; expected %d, as for core 0", core.caches.n,
             machine->cores[0].caches.n);
  } else if (repeats_pu(machine, &core)) {
    snprintf(message, CW_MESSAGE_BYTES, "found a PU of another core; expected each once");
  } else {
    machine->cores[machine->n_cores++] = core;
    for (int32_t i = 0; i < core.pus.n; ++i) {
      if (core.pus.at[i] < CW_STEER_INDEXED_PUS) machine->core_after[core.pus.at[i]] = (int16_t)(core.id + 1);
    }
    return true;
  }
  return false;
}

static bool any_two_share(const struct cw_steer_machine* machine, int32_t level) {
  for (int32_t a = 0; a < machine->n_cores; ++a) {
    for (int32_t b = a + 1; b < machine->n_cores; ++b) {
      if (machine->cores[a].caches.at[level] == machine->cores[b].caches.at[level]) return true;
    }
  }
  return false;
}

bool cw_steer_machine_complete(struct cw_steer_machine* machine, char* message) {
  if (machine->n_cores == 0) {
    snprintf(message, CW_MESSAGE_BYTES, "found no core; expected a line 'core id=0 pus=...'");
    return false;
  }
  machine->near_level = -1;
  for (int32_t level = 0; level < machine->cores[0].caches.n; ++level) {
    if (any_two_share(machine, level)) {
      machine->near_level = level;
      break;
    }
  }
  return true;
}

void cw_steer_machine_write(const struct cw_steer_machine* machine, struct cw_buffer* buffer) {
  for (int32_t i = 0; i < machine->n_cores; ++i) {
    cw_buffer_add(buffer, "core");
    cw_fields_write(buffer, FIELDS, N_FIELDS, &machine->cores[i]);
    cw_buffer_add(buffer, "\n");
  }
}

int64_t cw_steer_core_of_pu(const struct cw_steer_machine* machine, int64_t pu) {
  if (pu >= 0 && pu < CW_STEER_INDEXED_PUS) return machine->core_after[pu] - 1;
  for (int32_t core = 0; core < machine->n_cores; ++core) {
    const struct cw_list* pus = &machine->cores[core].pus;
    for (int32_t i = 0; i < pus->n; ++i) {
      if (pus->at[i] == pu) return core;
    }
  }
  return -1;
}

bool cw_steer_cores_near(const struct cw_steer_machine* machine, int64_t a, int64_t b) {
  const int32_t level = machine->near_level;
  if (a == b) return true;
  return level >= 0 && machine->cores[a].caches.at[level] == machine->cores[b].caches.at[level];
}

bool cw_steer_same_numa(const struct cw_steer_machine* machine, int64_t a, int64_t b) {
  return machine->cores[a].numa == machine->cores[b].numa;
}
