/// corewise-mask FOLDER: started in place of a rank's program, writes which hardware threads it may use.
///
///     mpirun -n 4 --bind-to core corewise-mask FOLDER
///
/// Shows how a launcher binds its ranks, before the application starts. Each process writes a file
/// (formats/FORMATS.md, "Masks of ranks"), which is renamed when it is complete.
#include <corewise_formats/mask.h>
#include <corewise_node/identity.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "settings.h"

/// Space for the longest list of hardware threads: every second one of CW_BIND_MAX_PUS.
#define LIST_BYTES (CW_BIND_MAX_PUS / 2 * sizeof "65535")

static bool write_report(FILE* file, const struct cw_node* node) {
  static cw_mask_t mask;
  static char list[LIST_BYTES];
  if (sched_getaffinity(0, CW_MASK_BYTES, &mask.set) != 0) return false;
  cw_mask_print(&mask, list, sizeof list);
  fprintf(file, CW_MASK_FIRST_LINE "\nrank %ld\nhost %s\nid %s\nbatch_name %s\naddresses %s\nos_pus %s\n",
          cw_rank_from_environment(), node->host, node->id, node->batch_name, node->addresses, list);
  return ferror(file) == 0;
}

int main(int argc, char** argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: corewise-mask FOLDER\n");
    return 2;
  }
  struct cw_node node;
  const unsigned long long drawn = cw_node_draw();
  cw_node_find(&node);
  char name[NAME_MAX + 1], path[PATH_MAX], draft[PATH_MAX];
  if (cw_node_file_name(&node, name, sizeof name) >= (int)sizeof name ||
      snprintf(path, sizeof path, "%s/%s-%016llx.mask", argv[1], name, drawn) >= (int)sizeof path ||
      snprintf(draft, sizeof draft, "%s/%s-%016llx.new", argv[1], name, drawn) >= (int)sizeof draft) {
    fprintf(stderr, "corewise-mask: %s: the folder's name is too long\n", node.host);
    return 1;
  }
  FILE* file = fopen(draft, "w");
  const bool written = file != NULL && write_report(file, &node);
  if ((file != NULL && fclose(file) != 0) || !written || rename(draft, path) != 0) {
    fprintf(stderr, "corewise-mask: %s can't write into %s: %s; every node must see that folder\n", node.host,
            argv[1], strerror(errno));
    return 1;
  }
  /* PRRTE 3.0.13 (Open MPI 5.0.11) on two nodes hangs if its ranks end within a few ms, apparently waiting
   * for some of them to start. With ranks that lived 5 ms longer, 24 of 24 starts ended. */
  usleep(50000);
  return 0;
}
