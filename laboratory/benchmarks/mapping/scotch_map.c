/* Maps a METIS graph on a tree with Scotch, for comparison with corewise; measures only the mapping.
 * Usage: scotch_map GRAPH SEED default|quality|speed ARITIES DISTANCES (comma-separated, lowest level first).
 * Prints the CPU time in s, then the leaf of each rank. */
#include <stdio.h>  // before scotch.h, which uses FILE
#include <stdlib.h>
#include <string.h>
#include <time.h>
// clang-format off: a separate group, or it is sorted before the others
#include <scotch.h>
// clang-format on

enum { MAX_LEVELS = 16 };

/* Scotch counts levels from the root, our lists start with the lowest level. */
static int parse_reversed(char* text, SCOTCH_Num* values) {
  SCOTCH_Num lowest_first[MAX_LEVELS];
  int n = 0;
  for (char* part = strtok(text, ","); part && n < MAX_LEVELS; part = strtok(NULL, ","))
    lowest_first[n++] = atol(part);
  for (int i = 0; i < n; i++) values[i] = lowest_first[n - 1 - i];
  return n;
}

static double cpu_s(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return now.tv_sec + 1e-9 * now.tv_nsec;
}

/* Reads a METIS file with edge weights ("001") into Scotch's arrays, numbered from 0. */
static int load_metis(const char* path, SCOTCH_Graph* graph) {
  FILE* file = fopen(path, "r");
  long n, m;
  if (!file || fscanf(file, "%ld %ld 001\n", &n, &m) != 2) return 1;
  SCOTCH_Num *verttab = malloc((n + 1) * sizeof *verttab), *edgetab = malloc(2 * m * sizeof *edgetab),
             *edlotab = malloc(2 * m * sizeof *edlotab);
  char* line = NULL;
  size_t capacity = 0;
  long edge = 0;
  for (long v = 0; v < n && getline(&line, &capacity, file) >= 0; v++) {
    verttab[v] = edge;
    char *at = line, *end;
    for (;;) {
      long peer = strtol(at, &end, 10);
      if (end == at) break;
      edgetab[edge] = peer - 1;
      edlotab[edge++] = strtol(end, &at, 10);
    }
  }
  verttab[n] = edge;
  free(line);
  fclose(file);
  return SCOTCH_graphBuild(graph, 0, n, verttab, NULL, NULL, NULL, edge, edgetab, edlotab);
}

int main(int argc, char** argv) {
  if (argc != 6) return 2;
  SCOTCH_Graph graph;
  SCOTCH_Arch arch;
  SCOTCH_Strat strategy;
  SCOTCH_Num arities[MAX_LEVELS], distances[MAX_LEVELS], n;
  int levels = parse_reversed(argv[4], arities);
  parse_reversed(argv[5], distances);
  SCOTCH_randomSeed(atoi(argv[2]));
  SCOTCH_randomReset();
  SCOTCH_graphInit(&graph);
  if (load_metis(argv[1], &graph)) return 2;
  SCOTCH_graphSize(&graph, &n, NULL);
  SCOTCH_archInit(&arch);
  SCOTCH_archTleaf(&arch, levels, arities, distances);
  SCOTCH_stratInit(&strategy);
  /* No imbalance: one rank per core. */
  if (strcmp(argv[3], "quality") == 0) SCOTCH_stratGraphMapBuild(&strategy, SCOTCH_STRATQUALITY, n, 0.0);
  if (strcmp(argv[3], "speed") == 0) SCOTCH_stratGraphMapBuild(&strategy, SCOTCH_STRATSPEED, n, 0.0);
  SCOTCH_Num* leaf = malloc(n * sizeof *leaf);
  double start = cpu_s();
  if (SCOTCH_graphMap(&graph, &arch, &strategy, leaf)) return 1;
  printf("%.6f\n", cpu_s() - start);
  for (SCOTCH_Num v = 0; v < n; v++) printf("%ld\n", (long)leaf[v]);
  return 0;
}
