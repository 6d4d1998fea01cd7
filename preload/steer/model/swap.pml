/* Spin model of the swap protocol in preload/steer/act: after any process has ended or stopped, the next recovery puts
 * every rank on its home.
 *
 * There are two ranks on two masks, with THREADS threads each: one at first, the second starts at any time or never. Two
 * actuators try a swap each. At any time, in any order, or never: a rank is killed, and other processes get its pid and
 * the id of its second thread; a mask is forbidden to a rank (a cpuset shrinks). Stopped actuators need no model,
 * because any step may come late, and a lease may expire at any time. An actuator that is killed takes no further step,
 * so in every reachable state both may have been killed: later_recovery() tries each state. The actuators are alike,
 * so the first one always gets the lease first.
 *
 * Every access of act/swap.c and act/process.c to shared state is one step. So is a compare-and-exchange, and the read
 * of one word: a swap with its number, phase and homes, or a home with its number. give() joins the last test if the
 * process has ended with reading back the mask: if the process ends in between, the next pass notices. Consecutive
 * reads of a pid are one step, because it only changes to 0. Left out: threads that have a part of the home as mask,
 * because their places are the same in every home; the limit of passes in cw_process_move(); swap numbers that wrap
 * around; and the conditions of keep_own_masks(), which may refuse at any time.
 *
 * Checked after a recovery from any state: homes are different; for a living, steered rank, the first thread is on its
 * home, and the second there or wherever the kernel allows it. After both actuators have ended, no process that got a
 * reused id has a different mask than before.
 *
 * tests/end_to_end/test_steer_model.py runs it. Options:
 * - THREADS=1; NO_DEATH, NO_SHRINKING: no rank is killed, no mask is forbidden. Without these the search takes 3 GB.
 * - NO_LATER_RECOVERY: checks more. When both actuators have ended and the journal is quiet, ranks are on their homes
 *   without another recovery, and a slot is given up only if a mask was forbidden.
 * - What a protocol that knows only ids can't prevent. PID_REUSED_WITHIN: the pid goes to another process between
 *   reading its mask and restoring it. THREAD_ID_REUSED: the id of a thread does, and the rank lives on.
 * - Mutations; the checker must find an error: NO_RECOVERY, NO_STEAL (a lease never expires), NO_NUMBERS (storing a home
 *   ignores the number of the swap), NO_RESTORE (a mask that was given to another process with the same pid is not
 *   restored); with NO_LATER_RECOVERY IGNORES_LOSS (an actuator that loses its lease during recovery does not recover
 *   again) and REFUSES_CHANGED (a mask that was changed by others before it was read back counts as refused); with two
 *   threads FIRST_THREAD (only the first thread is checked) and, with NO_LATER_RECOVERY, ONE_PASS (threads that start
 *   meanwhile are missed). */

#ifndef THREADS
#define THREADS 2  /* of each rank */
#endif

#define ALL 2      /* all PUs that the kernel allows */
#define FOREIGN 3  /* the mask of a process outside the job */

#define QUIET 0
#define MOVING 1
#define COMMITTED 2

#define DONE 0
#define REFUSED 1  /* as result of look(): a thread is not in place */
#define GONE 2

#define ID(rank, thread) (2 * (rank) + (thread))

byte at[4] = { 0, 0, 1, 1 };  /* [ID] mask of the thread */
byte n_threads[2] = { 1, 1 };
bit lives[2] = { 1, 1 };
bit forbidden[4];  /* [2 * rank + mask] */
bit shrunk;        /* any mask is forbidden */
byte other[4] = { FOREIGN, FOREIGN, FOREIGN, FOREIGN };  /* [ID] mask of the process that gets the id when it is free */

/* The journal. */
bit steered[2] = { 1, 1 };
byte home[2] = { 0, 1 };
byte home_number[2];
byte number, phase, home_a, home_b;  /* the word of the swap; slots are ranks 0 and 1 */
byte lease = 1;                      /* its holder; 0: free */

bit finished[2];  /* actuators that have ended */

#ifdef THREAD_ID_REUSED
bit thread_ended[2];
#define IS_OURS(rank, thread) (lives[rank] && !(thread == 1 && thread_ended[rank]))
#else
#define IS_OURS(rank, thread) lives[rank]
#endif

/* The mask that give() restores: that of the new process if it had the id already when the mask was read. */
#ifdef PID_REUSED_WITHIN
#define BEFORE now
#else
#define BEFORE FOREIGN
#endif

#ifdef FIRST_THREAD
#define N_LOOKED_AT(rank) 1
#else
#define N_LOOKED_AT(rank) n_threads[rank]
#endif

/* Mask of the current owner of the id. */
#define MASK(rank, thread) (IS_OURS(rank, thread) -> at[ID(rank, thread)] : other[ID(rank, thread)])

/* is_away() of a mask that was read. The program sets no masks here, so ALL comes from the kernel or release(): only
 * the first thread is moved from there. A foreign mask is assumed to be in one of the homes, the worst case. */
#define IS_AWAY(mask) (now != mask && (thread == 0 || now != ALL))

/* cw_process_is_at(). */
inline look(rank, mask) {
  if
  :: !lives[rank] -> outcome = REFUSED
  :: else -> n = N_LOOKED_AT(rank)
  fi;
  do
  :: thread == n || outcome != DONE -> break
  :: else ->
    now = MASK(rank, thread);
    if
    :: IS_AWAY(mask) -> outcome = REFUSED
    :: else
    fi;
    now = 0; thread++
  od;
  thread = 0; n = 0
}

/* give_mask(). */
inline give(rank, mask) {
  atomic {
    if
    :: !IS_OURS(rank, thread) -> other[ID(rank, thread)] = mask
    :: IS_OURS(rank, thread) && mask < ALL && forbidden[2 * rank + mask] -> outcome = REFUSED
    :: else -> at[ID(rank, thread)] = mask
    fi
  }
  atomic {
    if
    :: !lives[rank] ->
#ifndef NO_RESTORE
      other[ID(rank, thread)] = BEFORE;
#endif
      outcome = GONE
#ifdef REFUSES_CHANGED
    :: IS_OURS(rank, thread) && at[ID(rank, thread)] != mask -> outcome = REFUSED
#endif
    :: else
    fi
  }
}

/* cw_process_move(). Each pass sees the threads that exist at its start. */
inline move(rank, mask) {
  do
  :: !lives[rank] -> outcome = GONE; break
  :: lives[rank] ->
    n = n_threads[rank];
    do
    :: thread == n || outcome != DONE -> break
    :: else ->
      now = MASK(rank, thread);
      if
      :: IS_AWAY(mask) -> moved = 1; give(rank, mask)
      :: else
      fi;
      now = 0; thread++
    od;
    thread = 0; n = 0;
#ifdef ONE_PASS
    moved = 0; break
#else
    if
    :: !moved || outcome != DONE -> moved = 0; break
    :: else -> moved = 0
    fi
#endif
  od
}

/* cw_process_release(). */
inline release(rank, mask) {
  if
  :: lives[rank] -> n = n_threads[rank]
  :: else
  fi;
  do
  :: thread == n -> break
  :: else ->
    now = MASK(rank, thread);
    if
    :: IS_AWAY(mask) -> outcome = DONE; give(rank, ALL)
    :: else
    fi;
    now = 0; thread++
  od;
  thread = 0; n = 0
}

/* The next three are as in act/swap.c. */
inline store_home(rank, new_number, new_home) {
  atomic { seen_number = home_number[rank]; seen_home = home[rank] }
  atomic {
#ifdef NO_NUMBERS
    home[rank] = new_home;
#else
    if
    :: seen_number < new_number && home_number[rank] == seen_number && home[rank] == seen_home ->
      home[rank] = new_home; home_number[rank] = new_number
    :: else
    fi;
#endif
    seen_number = 0; seen_home = 0
  }
}

inline send_home(rank) {
  if
  :: steered[rank] ->
    seen_home = home[rank];
    look(rank, seen_home);
    if
    :: outcome == DONE
    :: else ->
      outcome = DONE;
      move(rank, seen_home);
      if
      :: outcome == REFUSED -> release(rank, seen_home); steered[rank] = 0
      :: else
      fi
    fi;
    outcome = DONE; seen_home = 0
  :: else
  fi
}

inline recover() {
#ifdef NO_RECOVERY
  skip
#else
  atomic { w_phase = phase; w_number = number; w_a = home_a; w_b = home_b }
  if
  :: w_phase == COMMITTED -> store_home(0, w_number, w_b); store_home(1, w_number, w_a)
  :: else
  fi;
  atomic {
    if
    :: w_phase != QUIET && phase == w_phase && number == w_number -> phase = QUIET
    :: else
    fi;
    w_phase = 0; w_number = 0; w_a = 0; w_b = 0
  }
  send_home(0);
  send_home(1)
#endif
}

/* State of an actuator; w_...: the word of the swap. Unused variables are 0, to keep the number of states small. */
#define LOCALS \
  unsigned thread : 2, n : 2, now : 2, outcome : 2, seen_number : 2, seen_home : 2, \
    w_phase : 2, w_number : 2, w_a : 2, w_b : 2; \
  bit moved

/* cw_lease_take(), until it succeeds. A lease may expire at any time. */
#ifdef NO_STEAL
#define TAKE_LEASE atomic { lease == 0 -> lease = me }
#else
#define TAKE_LEASE lease = me
#endif

#define STOP_UNLESS(condition) if :: !(condition) -> goto failed :: else fi

/* cw_swap() of ranks 0 and 1. */
proctype actuator(byte me) {
  LOCALS;
  bit done, has_second;
  if
  :: me != 1 -> TAKE_LEASE
  :: else
  fi;
  recover();
  STOP_UNLESS(lease == me);
  if
  :: goto failed  /* keep_own_masks() refuses */
  :: skip
  fi;
  atomic { w_phase = phase; w_number = number }
  STOP_UNLESS(w_phase == QUIET);
  w_a = home[0];
  w_b = home[1];
  atomic {
    STOP_UNLESS(phase == QUIET && number == w_number);
    w_number++; number = w_number; phase = MOVING; home_a = w_a; home_b = w_b
  }
  STOP_UNLESS(lease == me);
  STOP_UNLESS(steered[0]);
  has_second = steered[1];
  move(0, w_b);
  STOP_UNLESS(outcome == DONE && lease == me && has_second);
  move(1, w_a);
  STOP_UNLESS(outcome == DONE && lease == me);
  look(0, w_b);
  STOP_UNLESS(outcome == DONE);
  look(1, w_a);
  STOP_UNLESS(outcome == DONE);
  atomic {
    STOP_UNLESS(phase == MOVING && number == w_number);
    phase = COMMITTED
  }
  STOP_UNLESS(lease == me);
  store_home(0, w_number, w_b);
  store_home(1, w_number, w_a);
  STOP_UNLESS(lease == me);
  atomic {
    STOP_UNLESS(phase == COMMITTED && number == w_number);
    phase = QUIET; done = 1
  }
failed:
  atomic { outcome = DONE; has_second = 0; w_phase = 0; w_number = 0; w_a = 0; w_b = 0 }
  if
  :: lease == me && done -> goto ended
  :: lease == me && !done
  :: else -> TAKE_LEASE  /* mend_after_loss() */
  fi;
mend:
  recover();
ended:
  atomic {
    if
    :: lease == me -> lease = 0
#ifdef IGNORES_LOSS
    :: else
#else
    :: lease != me -> TAKE_LEASE; goto mend
#endif
    fi;
    finished[me - 1] = 1
  }
  false  /* the process stays: its end would be one more state */
}

/* A cpuset shrinks: the kernel lets threads on a forbidden mask run anywhere else. */
inline forbid(rank, mask) {
  forbidden[2 * rank + mask] = 1; shrunk = 1;
  if :: at[ID(rank, 0)] == mask -> at[ID(rank, 0)] = ALL :: else fi;
  if :: at[ID(rank, 1)] == mask -> at[ID(rank, 1)] = ALL :: else fi
}

/* A new thread inherits the mask of its creator. */
inline start_thread(rank) {
  at[ID(rank, 1)] = at[ID(rank, 0)]; n_threads[rank] = 2
}

active proctype environment() {
  do
#ifndef NO_DEATH
  :: atomic { lives[0] && lives[1] -> lives[0] = 0 }
  :: atomic { lives[0] && lives[1] -> lives[1] = 0 }
#endif
#ifndef NO_SHRINKING
  :: atomic { !shrunk -> forbid(0, 0) }
  :: atomic { !shrunk -> forbid(0, 1) }
  :: atomic { !shrunk -> forbid(1, 0) }
  :: atomic { !shrunk -> forbid(1, 1) }
#endif
#if THREADS == 2
  :: atomic { lives[0] && n_threads[0] == 1 -> start_thread(0) }
  :: atomic { lives[1] && n_threads[1] == 1 -> start_thread(1) }
#endif
#ifdef THREAD_ID_REUSED
  :: atomic { n_threads[0] == 2 && !thread_ended[0] -> thread_ended[0] = 1 }
#endif
  od
}

hidden byte kept_at[4];
hidden byte kept_other[4];
hidden byte kept_steered[2];
hidden byte kept_home[2];
hidden byte kept_home_number[2];
hidden byte kept_phase, i;

inline keep() {
  i = 0;
  do
  :: i < 4 -> kept_at[i] = at[i]; kept_other[i] = other[i]; i++
  :: else -> break
  od;
  kept_steered[0] = steered[0]; kept_steered[1] = steered[1];
  kept_home[0] = home[0]; kept_home[1] = home[1];
  kept_home_number[0] = home_number[0]; kept_home_number[1] = home_number[1];
  kept_phase = phase
}

inline put_back() {
  i = 0;
  do
  :: i < 4 -> at[i] = kept_at[i]; other[i] = kept_other[i]; i++
  :: else -> break
  od;
  i = 0;
  steered[0] = kept_steered[0]; steered[1] = kept_steered[1];
  home[0] = kept_home[0]; home[1] = kept_home[1];
  home_number[0] = kept_home_number[0]; home_number[1] = kept_home_number[1];
  phase = kept_phase
}

/* May a thread be outside its home? Because of the kernel, or of release(). */
#ifdef NO_LATER_RECOVERY
#define MAY_BE_ANYWHERE shrunk
#else
#define MAY_BE_ANYWHERE true
#endif

#define IS_HOME(rank) \
  (!lives[rank] || !steered[rank] || (at[ID(rank, 0)] == home[rank] && \
    (n_threads[rank] == 1 || at[ID(rank, 1)] == home[rank] || (MAY_BE_ANYWHERE && at[ID(rank, 1)] == ALL))))

/* Tries a recovery without actuators in every state, then restores the state, so that it adds no states. */
active proctype later_recovery() {
  LOCALS;
  do
  :: d_step {
    keep();
#ifdef NO_STEAL
    if
    :: lease == 0 -> recover()
    :: else
    fi;
#else
    recover();
#endif
    assert(home[0] + home[1] == 1);
    assert(IS_HOME(0) && IS_HOME(1));
    put_back();
    if
    :: finished[0] && finished[1] ->
      assert(other[0] == FOREIGN && other[1] == FOREIGN && other[2] == FOREIGN && other[3] == FOREIGN);
#ifdef NO_LATER_RECOVERY
      assert(shrunk || (phase == QUIET -> IS_HOME(0) && IS_HOME(1) : true))
#endif
    :: else
    fi;
#ifdef NO_LATER_RECOVERY
    assert(shrunk || (steered[0] && steered[1]))
#endif
    }
  od
}

init {
  atomic {
    run actuator(1);
    run actuator(2)
  }
}
