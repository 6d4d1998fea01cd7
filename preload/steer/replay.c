/* corewise-steer-replay: computes the decisions of a log again and prints a report. */
#include <stdlib.h>
#include <string.h>

#include "history.h"

enum { EXIT_FINE = 0, EXIT_DIFFERS = 1, EXIT_USAGE = 2 };

/* Prints a JSON string, with '?' for control characters and non-ASCII bytes. */
static void print_string(const char* text) {
  putchar('"');
  for (; *text && *text != '\n'; ++text) {
    if (*text == '"' || *text == '\\') putchar('\\');
    putchar(*text >= ' ' && *text <= '~' ? *text : '?');
  }
  putchar('"');
}

static void print_row(const struct cw_history_entry* row) {
  const struct cw_proposal* proposal = &row->decision.proposal;
  printf("{\"time_s\": %.9f, \"metric\": \"%s\", \"confidence\": %.3f, \"action\": \"%s\"",
         row->time_ns / 1e9, cw_metrics[proposal->metric].name, (double)proposal->confidence / 1000,
         cw_action_name(row->decision.action));
  printf(", \"ranks\": [%lld", (long long)proposal->rank_a);
  if (proposal->rank_b >= 0) printf(", %lld", (long long)proposal->rank_b);
  printf("], \"swap\": %lld, \"undoes\": %lld, \"because\": ", (long long)row->decision.swap,
         (long long)row->decision.undoes);
  print_string(row->because);
  printf(", \"outcome\": ");
  print_string(row->outcome);
  putchar('}');
}

/* Prints the share of waiting in the ranks' time; null: no time was recorded. */
static void print_wait(const char* name, const struct cw_history_time* time) {
  printf(", \"%s\": ", name);
  if (time->all > 0) {
    printf("%.4f", (double)time->wait / (double)time->all);
  } else {
    printf("null");
  }
}

/* Prints the times themselves, because shares of several logs can't be added. */
static void print_time(const char* name, const struct cw_history_time* time) {
  printf(", \"%s\": {\"wait_s\": %.9f, \"all_s\": %.9f}", name, (double)time->wait / 1e9,
         (double)time->all / 1e9);
}

static void print_times(const struct cw_history* history) {
  print_wait("wait_before", &history->before);
  print_wait("wait_after", &history->after);
  print_time("time_before", &history->before);
  if (history->any_done) {
    print_time("time_after", &history->after);
  } else {
    printf(", \"time_after\": null");
  }
}

/* Prints the line "settings name=number ..." as an object. */
static void print_settings(const struct cw_steer_settings* settings) {
  char text[4 * CW_LOG_LINE_BYTES]; /* a field takes 40 bytes at most */
  struct cw_buffer buffer = {text, sizeof text, 0, false};
  cw_steer_settings_write(settings, &buffer);
  const char* before = ", \"settings\": {";
  strtok(text, " \n");
  for (const char* name; (name = strtok(NULL, "= \n")) != NULL; before = ", ")
    printf("%s\"%s\": %s", before, name, strtok(NULL, "= \n"));
  putchar('}');
}

static void print_differs(const struct cw_history* history) {
  printf(", \"differs\": ");
  if (history->differs_at == 0) {
    puts("null}");
    return;
  }
  printf("{\"interval\": %lld, \"recorded\": ", (long long)history->differs_at);
  print_string(history->recorded);
  printf(", \"again\": ");
  print_string(history->again);
  puts("}}");
}

/* Enough for the head or an interval: 400 bytes for each of 1000 ranks, the same for their peers, and
 * more. */
enum { TEXT_BYTES = 2 << 20 };

/* What to print: the history as JSON; the log with the decisions computed again; or the samples of ranks and
 * cores, one JSON document per interval and line. */
enum output { OUTPUT_STORY, OUTPUT_LOG, OUTPUT_INTERVALS };

struct replay {
  struct cw_log log;
  struct cw_log_interval interval;
  struct cw_decide_state state;
  struct cw_history history;
  enum output output;
  char text[TEXT_BYTES];
};

/* Prints advice for programs that no swap helps; null: none. */
static void print_advice(const struct replay* replay) {
  char text[CW_SENTENCE_BYTES] = "";
  struct cw_buffer sentence = {text, sizeof text, 0, false};
  printf(", \"advice\": ");
  if (cw_history_left_swap_out(&replay->history) ||
      !cw_decide_advises_flow_steering(&replay->log.steering, &replay->state)) {
    printf("null");
    return;
  }
  cw_flow_steering_because(&replay->state.flow_steering, &sentence);
  print_string(text);
}

static void print_story(const struct replay* replay, int64_t n_intervals) {
  const struct cw_history* history = &replay->history;
  const struct cw_log* log = &replay->log;
  printf(
      "{\"node\": %lld, \"first_interval\": %lld, \"intervals\": %lld, \"compared\": %lld, \"decisions\": [",
      (long long)log->steering.settings.node, (long long)history->first_interval, (long long)n_intervals,
      (long long)history->n_compared);
  for (size_t i = 0; i < history->n_rows; ++i) {
    if (i > 0) printf(", ");
    print_row(&history->rows[i]);
  }
  printf("], \"swaps\": %lld, \"rollbacks\": %lld", (long long)history->n_swaps,
         (long long)history->n_rollbacks);
  print_times(history);
  print_settings(&log->steering.settings);
  print_advice(replay);
  print_differs(history);
}

/* False: the text does not fit. */
static bool print_head(struct replay* replay) {
  struct cw_buffer buffer = {replay->text, sizeof replay->text, 0, false};
  cw_log_write_head(&replay->log.steering, &buffer);
  fputs(replay->text, stdout);
  return !buffer.overflow;
}

/* Prints a field of sample.def; times in s. */
static void print_field(const char* before, const char* name, const char* unit, int64_t number) {
  if (strcmp(unit, "ns") == 0) {
    printf("%s\"%.*ss\": %.9f", before, (int)strlen(name) - 2, name, (double)number / 1e9);
  } else {
    printf("%s\"%s\": %lld", before, name, (long long)number);
  }
}

static void print_rank(const struct cw_rank_sample* rank) {
  const char* before = "{";
#define CW_RANK_FIELD(name, unit, ...)          \
  print_field(before, #name, unit, rank->name); \
  before = ", ";
#include "sample.def"
  putchar('}');
}

static void print_core(const struct cw_core_sample* core) {
  const char* before = "{";
#define CW_CORE_FIELD(name, unit, ...)          \
  print_field(before, #name, unit, core->name); \
  before = ", ";
#include "sample.def"
  putchar('}');
}

static void print_seen(const struct cw_snapshot* snapshot) {
  printf("{\"time_s\": %.9f, \"length_s\": %.9f, \"ranks\": [", (double)snapshot->time_ns / 1e9,
         (double)snapshot->length_ns / 1e9);
  for (int32_t i = 0; i < snapshot->n_ranks; ++i) {
    if (i > 0) printf(", ");
    print_rank(&snapshot->ranks[i]);
  }
  printf("], \"cores\": [");
  for (int32_t i = 0; i < snapshot->n_cores; ++i) {
    if (i > 0) printf(", ");
    print_core(&snapshot->cores[i]);
  }
  puts("]}");
}

/* False: the text does not fit. */
static bool print_interval(struct replay* replay, const struct cw_decision* decision) {
  struct cw_buffer buffer = {replay->text, sizeof replay->text, 0, false};
  cw_log_write_interval(&replay->interval.snapshot, decision, &buffer);
  fputs(replay->text, stdout);
  return !buffer.overflow;
}

/* False: the text does not fit. */
static bool print_step(struct replay* replay, const struct cw_decision* decision) {
  if (replay->output == OUTPUT_INTERVALS) print_seen(&replay->interval.snapshot);
  return replay->output != OUTPUT_LOG || print_interval(replay, decision);
}

static void tell_overflow(const struct replay* replay, char* message) {
  snprintf(message, CW_MESSAGE_BYTES,
           "%.120s line %d: found more than %d bytes for an interval; expected a log of corewise steer",
           replay->log.path, replay->log.line_number, TEXT_BYTES);
}

/* Number of intervals; -1: error, described in `message`. */
static int64_t replay_all(struct replay* replay, char* message) {
  int64_t n_intervals = 0;
  int found;
  while ((found = cw_log_next(&replay->log, &replay->interval, message)) > 0) {
    const struct cw_decision decision =
        cw_decide(&replay->log.steering, &replay->interval.snapshot, &replay->state);
    ++n_intervals;
    if (!cw_history_add(&replay->history, &replay->interval, &replay->log.steering.settings, &decision)) {
      snprintf(message, CW_MESSAGE_BYTES, "no memory for %zu decisions", replay->history.n_rows);
      return -1;
    }
    if (!print_step(replay, &decision)) {
      tell_overflow(replay, message);
      return -1;
    }
  }
  return found < 0 ? -1 : n_intervals;
}

/* False: `message` says why. */
static bool print_all(struct replay* replay, char* message) {
  if (replay->output == OUTPUT_LOG && !print_head(replay)) {
    tell_overflow(replay, message);
    return false;
  }
  const int64_t n_intervals = replay_all(replay, message);
  if (n_intervals < 0) return false;
  if (replay->output == OUTPUT_STORY) print_story(replay, n_intervals);
  return true;
}

/* Prints the rows of settings.def as one JSON array. */
static int print_rows(void) {
  static const struct {
    const char* name;
    int64_t value, least, most;
    const char *unit, *meaning, *source;
  } ROWS[] = {
#define CW_SETTING(name, ...) {#name, __VA_ARGS__},
#include "settings.def"
  };
  for (size_t i = 0; i < sizeof ROWS / sizeof ROWS[0]; ++i) {
    printf("%s{\"name\": \"%s\", \"default\": %lld, \"least\": %lld, \"most\": %lld", i == 0 ? "[" : ",\n",
           ROWS[i].name, (long long)ROWS[i].value, (long long)ROWS[i].least, (long long)ROWS[i].most);
    printf(", \"unit\": \"%s\", \"meaning\": \"%s\", \"source\": \"%s\"}", ROWS[i].unit, ROWS[i].meaning,
           ROWS[i].source);
  }
  printf("]\n");
  return fflush(stdout) == 0 ? EXIT_FINE : EXIT_USAGE;
}

static int run(struct replay* replay, const char* path) {
  char message[CW_MESSAGE_BYTES];
  if (!cw_log_open(path, &replay->log, message)) {
    fprintf(stderr, "%s\n", message);
    return EXIT_USAGE;
  }
  const bool printed = print_all(replay, message);
  if (!printed) fprintf(stderr, "%s\n", message);
  const bool differs = replay->history.differs_at != 0;
  cw_history_free(&replay->history);
  cw_log_close(&replay->log);
  if (!printed) return EXIT_USAGE;
  return differs ? EXIT_DIFFERS : EXIT_FINE;
}

int main(int argc, char** argv) {
  if (argc == 2 && strcmp(argv[1], "--settings") == 0) return print_rows();
  const bool as_log = argc == 3 && strcmp(argv[1], "--log") == 0;
  const bool as_intervals = argc == 3 && strcmp(argv[1], "--intervals") == 0;
  if (argc != 2 && !as_log && !as_intervals) {
    fprintf(stderr,
            "corewise-steer-replay [--log | --intervals] LOG | --settings: found %d words; expected a log of "
            "corewise steer\n",
            argc - 1);
    return EXIT_USAGE;
  }
  struct replay* replay = calloc(1, sizeof *replay);
  if (!replay) {
    fprintf(stderr, "corewise-steer-replay: no memory\n");
    return EXIT_USAGE;
  }
  replay->output = as_log ? OUTPUT_LOG : as_intervals ? OUTPUT_INTERVALS : OUTPUT_STORY;
  const int code = run(replay, argv[argc - 1]);
  free(replay);
  return fflush(stdout) == 0 ? code : EXIT_USAGE;
}
