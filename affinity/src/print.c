/* Prints a plan as text for people and as JSON for programs. */
#include "device.h"
#include "plan.h"
#include "policies/policy.h"
#include "text.h"

/* Logical index of the object of this type that contains the whole cpuset, or -1. */
static int index_around(const cw_thread_plan_t* plan, hwloc_const_bitmap_t cpuset, hwloc_obj_type_t type) {
  hwloc_obj_t object = NULL;
  while ((object = hwloc_get_next_obj_by_type(plan->machine.topology, type, object)) != NULL) {
    if (hwloc_bitmap_isincluded(cpuset, object->cpuset)) return (int)object->logical_index;
  }
  return -1;
}

static const struct {
  const char* name;
  hwloc_obj_type_t type;
} LEVELS[] = {{"core", HWLOC_OBJ_CORE},
              {"l3", HWLOC_OBJ_L3CACHE},
              {"numa", HWLOC_OBJ_NUMANODE},
              {"package", HWLOC_OBJ_PACKAGE}};
enum { N_LEVELS = sizeof LEVELS / sizeof LEVELS[0] };

/* The columns of a thread except its cpuset and nodeset. */
struct row {
  const char* role;
  size_t index;
  int around[N_LEVELS]; /* from index_around() */
};

static struct row row_of(const cw_thread_plan_t* plan, size_t thread) {
  struct row row = {.role = ""};
  cw_thread_plan_role(plan, thread, &row.role, &row.index);
  for (size_t l = 0; l < N_LEVELS; ++l)
    row.around[l] = index_around(plan, plan->threads[thread].cpuset, LEVELS[l].type);
  return row;
}

static int list_width(const cw_thread_plan_t* plan) {
  int width = 4;
  for (size_t t = 0; t < plan->n_threads; ++t) {
    const int length = hwloc_bitmap_list_snprintf(NULL, 0, plan->threads[t].cpuset);
    if (length > width) width = length;
  }
  return width;
}

static void text_of_threads(const cw_thread_plan_t* plan, struct cw_text* text) {
  const int width = list_width(plan);
  cw_text_add(text, "%-16s %5s  %-*s", "role", "index", width, "PUs");
  for (size_t l = 0; l < N_LEVELS; ++l) cw_text_add(text, " %7s", LEVELS[l].name);
  cw_text_add(text, "%s\n", plan->local_memory ? "  memory" : "");
  for (size_t t = 0; t < plan->n_threads; ++t) {
    const struct cw_planned_thread* thread = &plan->threads[t];
    const struct row row = row_of(plan, t);
    cw_text_add(text, "%-16s %5zu  ", row.role, row.index);
    cw_text_add_list(text, thread->cpuset);
    cw_text_add(text, "%*s", width - hwloc_bitmap_list_snprintf(NULL, 0, thread->cpuset), "");
    for (size_t l = 0; l < N_LEVELS; ++l) {
      if (row.around[l] < 0)
        cw_text_add(text, " %7s", "-");
      else
        cw_text_add(text, " %7d", row.around[l]);
    }
    if (thread->nodeset != NULL) {
      cw_text_add(text, "  ");
      cw_text_add_list(text, thread->nodeset);
    }
    cw_text_add(text, "\n");
  }
}

static void text_of(const cw_thread_plan_t* plan, struct cw_text* text) {
  const struct cw_machine* machine = &plan->machine;
  cw_text_add(text, "policy   %s: %s\n", plan->policy->name, plan->policy->sentence);
  cw_text_add(text, "threads  %zu:", plan->n_threads);
  for (size_t r = 0; r < plan->n_roles; ++r) {
    const struct cw_planned_role* role = &plan->roles[r];
    cw_text_add(text, "%s %s %zu%s", r == 0 ? "" : ",", role->name, role->count,
                role->by_default ? " (by default)" : "");
  }
  cw_text_add(text, "\nmask     ");
  cw_text_add_list(text, machine->mask);
  cw_text_add(text, " (%zu cores, %zu PUs)\n", machine->n_cores, machine->n_pus);
  if (machine->device != NULL) {
    char name[DEVICE_NAME_SIZE];
    cw_device_name(machine->device, name, sizeof name);
    cw_text_add(text, "device   %s (%s), nearest in %s %u\n", name, cw_device_kind(machine->device),
                hwloc_obj_type_string(machine->near->type), machine->near->logical_index);
  }
  const char* line = plan->notes.data;
  while (line != NULL && *line != 0) {
    const size_t length = strcspn(line, "\n");
    cw_text_add(text, "note     %.*s\n", (int)length, line);
    line += length + 1;
  }
  text_of_threads(plan, text);
}

/* Escapes the string, because device names may come from an XML file and contain any character. */
static void json_string(struct cw_text* text, const char* string, size_t length) {
  cw_text_add(text, "\"");
  for (size_t i = 0; i < length; ++i) {
    const unsigned char letter = (unsigned char)string[i];
    if (letter == '"' || letter == '\\')
      cw_text_add(text, "\\%c", letter);
    else if (letter < ' ')
      cw_text_add(text, "\\u%04x", letter);
    else
      cw_text_add(text, "%c", letter);
  }
  cw_text_add(text, "\"");
}

static void json_list(struct cw_text* text, const char* key, hwloc_const_bitmap_t set) {
  cw_text_add(text, ", \"%s\": \"", key);
  cw_text_add_list(text, set);
  cw_text_add(text, "\"");
}

static void json_of_threads(const cw_thread_plan_t* plan, struct cw_text* text) {
  for (size_t t = 0; t < plan->n_threads; ++t) {
    const struct cw_planned_thread* thread = &plan->threads[t];
    const struct row row = row_of(plan, t);
    cw_text_add(text, "%s{\"role\": \"%s\", \"index\": %zu", t == 0 ? "" : ", ", row.role, row.index);
    json_list(text, "cpuset", thread->cpuset);
    for (size_t l = 0; l < N_LEVELS; ++l)
      cw_text_add(text, row.around[l] < 0 ? ", \"%s\": null" : ", \"%s\": %d", LEVELS[l].name, row.around[l]);
    if (thread->nodeset != NULL) json_list(text, "memory", thread->nodeset);
    cw_text_add(text, "}");
  }
}

static void json_of_device(const struct cw_machine* machine, struct cw_text* text) {
  if (machine->device == NULL) {
    cw_text_add(text, "null, \"near\": null");
    return;
  }
  char name[DEVICE_NAME_SIZE];
  cw_device_name(machine->device, name, sizeof name);
  json_string(text, name, strlen(name));
  cw_text_add(text, ", \"near\": {\"type\": \"%s\", \"index\": %u",
              hwloc_obj_type_string(machine->near->type), machine->near->logical_index);
  json_list(text, "cpuset", machine->near->cpuset);
  cw_text_add(text, "}");
}

static void json_of(const cw_thread_plan_t* plan, struct cw_text* text) {
  const struct cw_machine* machine = &plan->machine;
  cw_text_add(text, "{\"policy\": \"%s\"", plan->policy->name);
  json_list(text, "mask", machine->mask);
  cw_text_add(text, ", \"n_cores\": %zu, \"n_pus\": %zu, \"device\": ", machine->n_cores, machine->n_pus);
  json_of_device(machine, text);
  cw_text_add(text, ", \"notes\": [");
  for (const char* line = plan->notes.data; line != NULL && *line != 0;) {
    const size_t length = strcspn(line, "\n");
    if (line != plan->notes.data) cw_text_add(text, ", ");
    json_string(text, line, length);
    line += length + 1;
  }
  cw_text_add(text, "], \"roles\": [");
  for (size_t r = 0; r < plan->n_roles; ++r) {
    const struct cw_planned_role* role = &plan->roles[r];
    cw_text_add(text, "%s{\"name\": \"%s\", \"count\": %zu, \"by_default\": %s}", r == 0 ? "" : ", ",
                role->name, role->count, role->by_default ? "true" : "false");
  }
  cw_text_add(text, "], \"threads\": [");
  json_of_threads(plan, text);
  cw_text_add(text, "]}");
}

cw_status_t cw_thread_plan_print(const cw_thread_plan_t* plan, cw_format_t format, char* buffer, size_t size,
                                 size_t* needed_p) {
  struct cw_text text = {0};
  if (format == CW_FORMAT_TEXT)
    text_of(plan, &text);
  else if (format == CW_FORMAT_JSON)
    json_of(plan, &text);
  else
    return CW_ERR_ARGUMENT;
  const cw_status_t status = text.failed ? CW_ERR_NO_MEMORY : CW_OK;
  if (status == CW_OK) {
    cw_text_copy(&text, buffer, size);
    if (needed_p != NULL) *needed_p = text.length;
  }
  cw_text_free(&text);
  return status;
}
