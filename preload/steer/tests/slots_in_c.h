/* The C part of the tests of slots, because C++ can't use C's atomic types. */
#ifndef COREWISE_STEER_TESTS_SLOTS_IN_C_H
#define COREWISE_STEER_TESTS_SLOTS_IN_C_H

#ifdef __cplusplus
extern "C" {
#endif

typedef struct SlotsTest SlotsTest; /* one slot */

SlotsTest* slots_test_make(void);
void slots_test_free(SlotsTest* test);
void slots_test_write_all(SlotsTest* test, int number); /* every member of the content is `number` */
int slots_test_read_is_whole(SlotsTest* test); /* 0: not read; 1: all members alike; 2: they differ */
int slots_test_read_empty(void);               /* reads a slot that was never written; result as above */
int slots_test_round_trip(void);
int slots_test_cut_off(void);

#ifdef __cplusplus
}
#endif
#endif
