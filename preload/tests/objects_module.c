/* A library for objects_test.cpp. It contains addresses of cw_test_target(), a function of the test program,
 * in memory that is read-only when the test changes them. */
extern int cw_test_target(void);

/* In the code, across a page border; the first of the two pages also contains a function. */
__asm__(
    ".pushsection .text\n"
    ".balign 65536\n"
    ".skip 65532\n"
    ".globl cw_test_slot_in_code\n"
    "cw_test_slot_in_code: .quad cw_test_target\n"
    ".popsection\n");

/* In constant data that the dynamic linker fills in. */
int (*const cw_test_slot_of_constant)(void) = cw_test_target;

static int seven(void) { return 7; }
__attribute__((no_sanitize("address", "thread", "undefined"))) static int (*choose(void))(void) {
  return seven;
}
int cw_test_indirect(void) __attribute__((ifunc("choose")));
