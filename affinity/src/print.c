/* A plan as text for people and as JSON for programs. */
#include <stdlib.h>

#include "plan.h"

/* A cpuset as a list such as "0-3,8"; the caller frees it. */
static char* list_of(hwloc_const_bitmap_t set) {
  char* list = NULL;
  return hwloc_bitmap_list_asprintf(&list, set) < 0 ? NULL : list;
}

/* Logical index of the object of a type that holds a whole cpuset, -1 where there is none. */
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

static void text_of_threads(const cw_thread_plan_t* plan, struct cw_text* text) {
  int width = 4;
  for (size_t t = 0; t < plan->n_threads; ++t) {
    char* pus = list_of(plan->threads[t].cpuset);
    if (pus != NULL && (int)strlen(pus) > width) width = (int)strlen(pus);
    free(pus);
  }
  cw_text_add(text, "%-16s %5s  %-*s", "role", "index", width, "PUs");
  for (size_t l = 0; l < N_LEVELS; ++l) cw_text_add(text, " %7s", LEVELS[l].name);
  cw_text_add(text, "%s\n", plan->local_memory ? "  memory" : "");
  for (size_t t = 0; t < plan->n_threads; ++t) {
    const struct cw_planned_thread* thread = &plan->threads[t];
    const char* role = "";
    size_t index = 0;
    cw_thread_plan_role(plan, t, &role, &index);
    char* pus = list_of(thread->cpuset);
    cw_text_add(text, "%-16s %5zu  %-*s", role, index, width, pus);
    free(pus);
    for (size_t l = 0; l < N_LEVELS; ++l) {
      const int around = index_around(plan, thread->cpuset, LEVELS[l].type);
      if (around < 0)
        cw_text_add(text, " %7s", "-");
      else
        cw_text_add(text, " %7d", around);
    }
    char* nodes = thread->nodeset != NULL ? list_of(thread->nodeset) : NULL;
    cw_text_add(text, nodes != NULL ? "  %s\n" : "\n", nodes);
    free(nodes);
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
  char* mask = list_of(machine->mask);
  cw_text_add(text, "\nmask     %s (%zu cores, %zu PUs)\n", mask, machine->n_cores, machine->n_pus);
  free(mask);
  if (machine->nic != NULL)
    cw_text_add(text, "network  %s (%s), nearest in %s %u\n", machine->nic->name, cw_nic_kind(machine->nic),
                hwloc_obj_type_string(machine->near->type), machine->near->logical_index);
  const char* line = plan->notes.data;
  while (line != NULL && *line != 0) {
    const size_t length = strcspn(line, "\n");
    cw_text_add(text, "note     %.*s\n", (int)length, line);
    line += length + 1;
  }
  text_of_threads(plan, text);
}

/* Names of devices come from files: quotes, backslashes and control characters are escaped. */
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

static void json_of_threads(const cw_thread_plan_t* plan, struct cw_text* text) {
  for (size_t t = 0; t < plan->n_threads; ++t) {
    const struct cw_planned_thread* thread = &plan->threads[t];
    const char* role = "";
    size_t index = 0;
    cw_thread_plan_role(plan, t, &role, &index);
    char* pus = list_of(thread->cpuset);
    cw_text_add(text, "%s{\"role\": \"%s\", \"index\": %zu, \"cpuset\": \"%s\"", t == 0 ? "" : ", ", role,
                index, pus);
    free(pus);
    for (size_t l = 0; l < N_LEVELS; ++l) {
      const int around = index_around(plan, thread->cpuset, LEVELS[l].type);
      cw_text_add(text, around < 0 ? ", \"%s\": null" : ", \"%s\": %d", LEVELS[l].name, around);
    }
    char* nodes = thread->nodeset != NULL ? list_of(thread->nodeset) : NULL;
    if (nodes != NULL) cw_text_add(text, ", \"memory\": \"%s\"", nodes);
    cw_text_add(text, "}");
    free(nodes);
  }
}

static void json_of_network(const struct cw_machine* machine, struct cw_text* text) {
  if (machine->nic == NULL) {
    cw_text_add(text, "null, \"near\": null");
    return;
  }
  json_string(text, machine->nic->name, strlen(machine->nic->name));
  char* pus = list_of(machine->near->cpuset);
  cw_text_add(text, ", \"near\": {\"type\": \"%s\", \"index\": %u, \"cpuset\": \"%s\"}",
              hwloc_obj_type_string(machine->near->type), machine->near->logical_index, pus);
  free(pus);
}

static void json_of(const cw_thread_plan_t* plan, struct cw_text* text) {
  const struct cw_machine* machine = &plan->machine;
  char* mask = list_of(machine->mask);
  cw_text_add(text, "{\"policy\": \"%s\", \"mask\": \"%s\", \"n_cores\": %zu, \"n_pus\": %zu, \"network\": ",
              plan->policy->name, mask, machine->n_cores, machine->n_pus);
  free(mask);
  json_of_network(machine, text);
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
