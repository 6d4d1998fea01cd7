/* Finds the host name, boot id, network namespace, batch system's name and network addresses of this node. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <corewise_node/identity.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define BOOT_DIGITS 8

static void find_host(struct cw_node* node) {
  if (gethostname(node->host, sizeof node->host - 1) != 0 || node->host[0] == 0)
    strcpy(node->host, "localhost");
}

/* The boot id distinguishes nodes with the same name on a shared file system, whose ranks must not write to
 * one file. The namespace distinguishes nodes that are emulated on one kernel. */
static void find_id(struct cw_node* node) {
  char boot[BOOT_DIGITS + 1] = "00000000";
  const int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
  char text[BOOT_DIGITS];
  if (fd >= 0 && read(fd, text, sizeof text) == (ssize_t)sizeof text) memcpy(boot, text, sizeof text);
  if (fd >= 0) close(fd);
  struct stat network;
  const unsigned long inode = stat("/proc/self/ns/net", &network) == 0 ? (unsigned long)network.st_ino : 0;
  snprintf(node->id, sizeof node->id, "%s-%lu", boot, inode);
}

/* The address as text; false if it does not identify the node. */
static bool address_text(const struct sockaddr* address, char text[INET6_ADDRSTRLEN]) {
  if (address == NULL) return false;
  if (address->sa_family == AF_INET) {
    const struct in_addr* in = &((const struct sockaddr_in*)address)->sin_addr;
    return inet_ntop(AF_INET, in, text, INET6_ADDRSTRLEN) != NULL;
  }
  if (address->sa_family != AF_INET6) return false;
  const struct in6_addr* in = &((const struct sockaddr_in6*)address)->sin6_addr;
  return !IN6_IS_ADDR_LINKLOCAL(in) && inet_ntop(AF_INET6, in, text, INET6_ADDRSTRLEN) != NULL;
}

static void find_addresses(struct cw_node* node) {
  struct ifaddrs* first = NULL;
  if (getifaddrs(&first) != 0) return;
  size_t used = 0;
  for (const struct ifaddrs* at = first; at != NULL; at = at->ifa_next) {
    char text[INET6_ADDRSTRLEN];
    if ((at->ifa_flags & IFF_LOOPBACK) != 0 || !address_text(at->ifa_addr, text)) continue;
    if (used + strlen(text) + 2 > sizeof node->addresses) break;
    used += (size_t)sprintf(node->addresses + used, "%s%s", used > 0 ? " " : "", text);
  }
  freeifaddrs(first);
}

void cw_node_find(struct cw_node* node) {
  memset(node, 0, sizeof *node);
  find_host(node);
  find_id(node);
  find_addresses(node);
  const char* batch_name = getenv("SLURMD_NODENAME");
  if (batch_name != NULL) snprintf(node->batch_name, sizeof node->batch_name, "%s", batch_name);
}

int cw_node_file_name(const struct cw_node* node, char* name, unsigned long bytes) {
  const bool named = node->batch_name[0] != 0;
  const int length = snprintf(name, bytes, "%s-%s%s%s", node->host, node->id, named ? "-" : "",
                              named ? node->batch_name : "");
  for (char* slash = bytes > 0 ? strchr(name, '/') : NULL; slash != NULL; slash = strchr(slash, '/'))
    *slash = '_';
  return length;
}

unsigned long long cw_node_draw(void) {
  unsigned long long drawn = 0;
  if (getrandom(&drawn, sizeof drawn, GRND_NONBLOCK) == (ssize_t)sizeof drawn) return drawn;
  /* Not available early after boot, or under some system call filters: use the time, the pid, and an address,
   * which is randomised. */
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return ((unsigned long long)now.tv_sec << 30 ^ (unsigned long long)now.tv_nsec) ^
         (unsigned long long)getpid() << 40 ^ (unsigned long long)(size_t)&drawn << 8;
}
