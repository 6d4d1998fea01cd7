/* Parses the settings of COREWISE_AFFINITY: "policy=topology;workers=4;mask=0-7". */
#include "override.h"

#include <ctype.h>
#include <stdlib.h>

#include "failure.h"
#include "policies/registry.h"
#include "text.h"

struct setting {
  char *key, *value;
};

const char* cw_affinity_environment(void) { return getenv("COREWISE_AFFINITY"); }

static char* trimmed(char* text) {
  while (isspace((unsigned char)*text)) ++text;
  char* end = text + strlen(text);
  while (end > text && isspace((unsigned char)end[-1])) --end;
  *end = 0;
  return text;
}

/* Parses an integer from 0 to 65536. */
static bool parse_count(const char* text, unsigned* count) {
  const unsigned most = 65536;
  unsigned value = 0;
  if (*text == 0) return false;
  for (; *text != 0; ++text) {
    if (*text < '0' || *text > '9') return false;
    value = 10 * value + (unsigned)(*text - '0');
    if (value > most) return false;
  }
  *count = value;
  return true;
}

static cw_status_t fail_value(const struct cw_settings* settings, const struct setting* setting,
                              const char* expected) {
  return cw_fail(&settings->options, CW_ERR_OVERRIDE, "override '%s=%s': expected %s", setting->key,
                 setting->value, expected);
}

static cw_status_t set_policy(struct cw_settings* settings, const struct setting* setting) {
  settings->policy = strdup(setting->value);
  if (settings->policy == NULL) return CW_ERR_NO_MEMORY;
  settings->options.policy = settings->policy;
  return cw_policy_check(&settings->options, setting->value, CW_ERR_OVERRIDE);
}

static cw_status_t set_near(struct cw_settings* settings, const struct setting* setting) {
  if (*setting->value == 0)
    return fail_value(settings, setting, "nic, gpu, or a device's name or PCI bus id");
  settings->near = strdup(setting->value);
  if (settings->near == NULL) return CW_ERR_NO_MEMORY;
  settings->options.near = settings->near;
  return CW_OK;
}

static cw_status_t set_memory(struct cw_settings* settings, const struct setting* setting) {
  if (strcmp(setting->value, "local") == 0)
    settings->options.memory = CW_MEMORY_LOCAL;
  else if (strcmp(setting->value, "inherit") == 0)
    settings->options.memory = CW_MEMORY_INHERIT;
  else
    return fail_value(settings, setting, "inherit or local");
  return CW_OK;
}

/* Parses a list such as "0-3,8". hwloc's parser is no alternative, because it accepts "2-" and "x". */
static bool parse_list(const char* text, hwloc_bitmap_t list) {
  for (;;) {
    unsigned range[2];
    char part[32];
    const size_t length = strcspn(text, ",");
    if (length == 0 || length >= sizeof part) return false;
    memcpy(part, text, length);
    part[length] = 0;
    char* dash = strchr(part, '-');
    if (dash != NULL) *dash = 0;
    if (!parse_count(part, &range[0]) || !parse_count(dash != NULL ? dash + 1 : part, &range[1]))
      return false;
    if (range[1] < range[0]) return false;
    if (hwloc_bitmap_set_range(list, range[0], (int)range[1]) != 0) return false;
    if (text[length] == 0) return true;
    text += length + 1;
  }
}

static cw_status_t set_mask(struct cw_settings* settings, const struct setting* setting) {
  settings->mask = hwloc_bitmap_alloc();
  if (settings->mask == NULL) return CW_ERR_NO_MEMORY;
  settings->options.mask = settings->mask;
  return parse_list(setting->value, settings->mask) ? CW_OK
                                                    : fail_value(settings, setting, "a list such as 0-3,8");
}

static cw_status_t set_part(struct cw_settings* settings, const struct setting* setting) {
  char text[32];
  const char* slash = strchr(setting->value, '/');
  const size_t length = slash == NULL ? 0 : (size_t)(slash - setting->value);
  unsigned rank = 0, size = 0;
  if (length > 0 && length < sizeof text) {
    memcpy(text, setting->value, length);
    text[length] = 0;
    if (parse_count(text, &rank) && parse_count(slash + 1, &size) && rank < size) {
      settings->options.local_rank = rank;
      settings->options.local_size = size;
      return CW_OK;
    }
  }
  return fail_value(settings, setting, "RANK/SIZE with RANK below SIZE, such as 0/2");
}

static cw_status_t set_stride(struct cw_settings* settings, const struct setting* setting) {
  unsigned stride = 0;
  if (!parse_count(setting->value, &stride) || stride == 0)
    return fail_value(settings, setting, "1 to 65536");
  settings->options.stride = stride;
  return CW_OK;
}

/* Index of the role named `key`, or else of the role named `key` without its final s, or else n_roles. */
static size_t find_role(const struct cw_settings* settings, const char* key) {
  size_t found = settings->n_roles;
  for (size_t r = 0; r < settings->n_roles; ++r) {
    const char* name = settings->roles[r].name;
    const size_t length = strlen(name);
    if (strcmp(key, name) == 0) return r;
    if (strncmp(key, name, length) == 0 && strcmp(key + length, "s") == 0) found = r;
  }
  return found;
}

static cw_status_t set_role(struct cw_settings* settings, const struct setting* setting, size_t role) {
  unsigned count = 0;
  if (!parse_count(setting->value, &count))
    return fail_value(settings, setting, "a number of threads, 0 to 65536");
  settings->roles[role].count = (int)count;
  return CW_OK;
}

static const struct {
  const char* key;
  cw_status_t (*set)(struct cw_settings* settings, const struct setting* setting);
} SETTERS[] = {{"mask", set_mask}, {"memory", set_memory}, {"near", set_near},
               {"part", set_part}, {"policy", set_policy}, {"stride", set_stride}};
enum { N_SETTERS = sizeof SETTERS / sizeof SETTERS[0] };

static cw_status_t fail_unknown(const struct cw_settings* settings, const char* key) {
  struct cw_text names = {0};
  for (size_t i = 0; i < N_SETTERS; ++i) cw_text_add(&names, "%s%s", i == 0 ? "" : ", ", SETTERS[i].key);
  for (size_t r = 0; r < settings->n_roles; ++r) cw_text_add(&names, ", %s", settings->roles[r].name);
  cw_fail(&settings->options, CW_ERR_OVERRIDE, "override '%s': no such setting; there are %s", key,
          names.failed ? "others" : names.data);
  cw_text_free(&names);
  return CW_ERR_OVERRIDE;
}

static size_t find_setter(const char* key) {
  size_t i = 0;
  while (i < N_SETTERS && strcmp(key, SETTERS[i].key) != 0) ++i;
  return i;
}

bool cw_is_setting(const char* name) { return find_setter(name) < N_SETTERS; }

/* `seen` has one entry for each setter, then one for each role. */
static cw_status_t set_one(struct cw_settings* settings, const struct setting* setting, bool* seen) {
  const size_t setter = find_setter(setting->key);
  const size_t role = find_role(settings, setting->key);
  if (setter == N_SETTERS && role == settings->n_roles) return fail_unknown(settings, setting->key);
  bool* mark = &seen[setter < N_SETTERS ? setter : N_SETTERS + role];
  if (*mark)
    return cw_fail(&settings->options, CW_ERR_OVERRIDE, "override '%s' is set twice; once is enough",
                   setting->key);
  *mark = true;
  return setter < N_SETTERS ? SETTERS[setter].set(settings, setting) : set_role(settings, setting, role);
}

static cw_status_t parse_settings(char* text, struct cw_settings* settings, bool* seen) {
  cw_status_t status = CW_OK;
  char* rest = text;
  while (status == CW_OK && rest != NULL) {
    char* part = strsep(&rest, ";");
    char* equals = strchr(part, '=');
    if (equals == NULL) {
      if (*trimmed(part) != 0)
        status = cw_fail(&settings->options, CW_ERR_OVERRIDE,
                         "override '%s' has no '='; expected such as policy=topology", trimmed(part));
      continue;
    }
    *equals = 0;
    const struct setting setting = {trimmed(part), trimmed(equals + 1)};
    status = set_one(settings, &setting, seen);
  }
  return status;
}

cw_status_t cw_override_parse(const char* text, struct cw_settings* settings) {
  char* copy = strdup(text);
  bool* seen = calloc(N_SETTERS + settings->n_roles + 1, sizeof *seen);
  const cw_status_t status =
      copy == NULL || seen == NULL ? CW_ERR_NO_MEMORY : parse_settings(copy, settings, seen);
  free(copy);
  free(seen);
  return status;
}
