/* Defaults of steering's thresholds, each with its source, and their line in a log. */
#include "settings.h"

#define MOST INT64_C(1000000000000000)
#define SETTING(member, low, high) CW_NUMBER(cw_steer_settings, member, low, high)

static const struct cw_field FIELDS[] = {
    SETTING(node, 0, INT64_C(1) << 31), /* as settings.h lists them */
    SETTING(dry_run, 0, 1),
    SETTING(async_progress, 0, 1),
    SETTING(interval_ns, 1000000, MOST),
    SETTING(log_bytes, 4096, MOST),
    SETTING(targets_ns, 0, MOST),
    SETTING(window_ns, 1, MOST),
    SETTING(window_iterations, 1, 1000000),
    SETTING(windows_in_a_row, 1, 1000000),
    SETTING(window_most_ns, 1, MOST),
    SETTING(tick_ns, 1, MOST),
    SETTING(packet_ns, 0, 1000000),
    SETTING(packet_most_ns, 0, 1000000),
    SETTING(delay_most_factor, 1000, 1000000),
    SETTING(packet_most_share, 0, 1000),
    SETTING(protocol_share, 1, 1000),
    SETTING(capability_margin, 1, 1000),
    SETTING(high_idleness, 0, 1000000),
    SETTING(low_idleness, 0, 1000000),
    SETTING(unsent_share, 0, 1000),
    SETTING(wait_share, 0, 1000),
    SETTING(heavy_factor, 1000, 1000000),
    SETTING(least_confidence, 0, 1000),
    SETTING(least_gain, 0, 1000),
    SETTING(keep_gain, 0, 1000),
    SETTING(most_loss, 0, 1000000),
    SETTING(watched_windows, 0, 1000000),
    SETTING(settle_ns, 0, MOST),
    SETTING(answer_ns, 1, MOST),
    SETTING(memory_pages, 0, 1000000),
    SETTING(backoff_ns, 1, MOST),
    SETTING(backoff_most_ns, 1, MOST),
    SETTING(shared_first_ns, 0, MOST),
    SETTING(shared_share, 0, 1000000),
};
static const size_t N_FIELDS = sizeof FIELDS / sizeof FIELDS[0];

/* "measured": a prototype on a 2-core virtual machine, docs/steering.md. The others are choices. */
struct cw_steer_settings cw_steer_settings_default(void) {
  return (struct cw_steer_settings){
      .interval_ns = 50 * 1000000,
      .log_bytes = 64 << 20, /* an hour of two ranks; minutes of a hundred */
      .window_ns = 200 * 1000000,
      .window_iterations = 4, /* measured: four were right where two rolled good swaps back */
      .windows_in_a_row = 2,  /* measured: of one alone, LAMMPS and FFTW beside packets swapped ranks alike */
      .window_most_ns = INT64_C(10) * 1000000000,
      .tick_ns = 10 * 1000000, /* the longest of any kernel; a live run asks its own */
      .packet_ns = 700, /* measured: 13 % of a core at 250 MB/s, 23 % at 500 MB/s, in 1500-byte packets */
      .packet_most_ns = 2500,    /* measured: 520, 1270 and 2540 on three hosts, 64 bytes from a bridge */
      .delay_most_factor = 1250, /* measured: 1100 of FFTW beside a thread that takes 30 % */
      .packet_most_share = 350,  /* measured: 35 % under a 64-byte ping-pong, the most seen */
      .protocol_share = 600,
      .capability_margin = 50,
      .high_idleness = 250,
      .low_idleness = 200, /* measured: a busy rank waits 115 for packets of its own messages */
      .unsent_share = 200,
      .wait_share = 200,
      .heavy_factor = 2000,
      .least_confidence = 400,
      .least_gain = 50, /* measured: ranks that compute alike were promised up to 42 */
      .keep_gain = 10,
      .most_loss = 20,
      .watched_windows = 4,
      .settle_ns = 20 * 1000000,
      .answer_ns = 1000 * 1000000,
      .memory_pages = 256, /* 1 MiB of 4-KiB pages in 50 ms: a hundredth of what a memory copies meanwhile */
      .backoff_ns = INT64_C(2) * 1000000000,
      .backoff_most_ns = INT64_C(120) * 1000000000,
      .shared_first_ns = 10 * 1000000,
      .shared_share = 1000,
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
