/* See settings.h. */
#include "settings.h"

static const struct cw_field FIELDS[] = {
#define CW_SETTING(name, value, least, most, ...) CW_NUMBER(cw_steer_settings, name, least, most),
#include "settings.def"
};
static const size_t N_FIELDS = sizeof FIELDS / sizeof FIELDS[0];

struct cw_steer_settings cw_steer_settings_default(void) {
  return (struct cw_steer_settings){
#define CW_SETTING(name, value, ...) .name = (value),
#include "settings.def"
  };
}

bool cw_steer_settings_read(const char* fields, struct cw_steer_settings* settings, char* message) {
  return cw_fields_read(fields, FIELDS, N_FIELDS, settings, message);
}

void cw_steer_settings_write(const struct cw_steer_settings* settings, struct cw_buffer* buffer) {
  cw_buffer_add(buffer, "settings");
  cw_fields_write(buffer, FIELDS, N_FIELDS, settings);
  cw_buffer_add(buffer, "\n");
}
