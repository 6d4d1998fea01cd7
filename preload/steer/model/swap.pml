/* The swap protocol of preload/steer/act as a model for Spin: whatever ends or stops, the next recovery finds every
 * rank its home.
 *
 * Two ranks on two masks, of THREADS threads each: one at first, the second at any moment or never. Two actuators
 * that each try a swap. At any moment or never, in any order, a rank is killed, and other processes get its pid and
 * the id of its second thread; and a rank is forbidden a mask (a cpuset that shrinks), its own or the other's. That
 * an actuator is stopped needs nothing: any of its steps may come late, and a lease may run out at any moment. One
 * that is killed takes no further step, so in every state that is reached both may have been killed:
 * later_recovery() tries each of them. The actuators are alike, so it is always the first that has the lease first.
 *
 * Every access of act/swap.c and act/process.c to what others change is a step here. A compare-and-exchange is one,
 * and so is the read of one word: the swap with its number, phase and homes, or a home with its number. give() joins
 * the last look at whether the process has ended with the mask that is read back: of a process that ends between the
 * two, the next pass finds that. The reads of a pid that follow each other are one, for it goes to 0 alone. Left out:
 * parts of a home that threads have for themselves, which are places within a home and the same whenever they are
 * noted; that cw_process_move() ends behind eight passes; that numbers of swaps come round; and what
 * keep_own_masks() looks at: it may refuse at any time, and recovery does not rest on it.
 *
 * Checked after a recovery from any state: homes are different; of a rank that lives and is steered the first thread
 * is on its home, and the second there or wherever the kernel allows it. Once both actuators have ended, no process
 * that got an id is on another mask than before.
 *
 * tests/end_to_end/test_steer_model.py runs it. Options:
 * - THREADS=1; NO_DEATH, NO_SHRINKING: no rank is killed, no mask forbidden. Without them the search takes 3 GB.
 * - NO_LATER_RECOVERY: checks more. When both actuators have ended and the journal is quiet, ranks are on their
 *   homes without another recovery, and a slot is given up only where a mask was forbidden.
 * - What a protocol that knows ids alone can't prevent. PID_REUSED_WITHIN: the pid goes to another process between
 *   the read of a mask and its giving back. THREAD_ID_REUSED: the id of a thread does, and its rank goes on.
 * - Mutations that the checker must find wrong: NO_RECOVERY (nobody mends), NO_STEAL (a lease never runs out),
 *   NO_NUMBERS (stores of homes do not look at the number of the swap), NO_RESTORE (a mask that went to another
 *   process with the same pid is not given back); with NO_LATER_RECOVERY IGNORES_LOSS (who loses its lease while it
 *   recovers does not recover again) and REFUSES_CHANGED (a mask that another one changed before it was read back is
 *   a refusal); with two threads FIRST_THREAD (only the first is looked at) and, with NO_LATER_RECOVERY, ONE_PASS
 *   (threads that appear meanwhile are not looked for). */

#ifndef THREADS
#define THREADS 2  /* of each rank */
#endif

#define ALL 2      /* every PU that the kernel allows */
#define FOREIGN 3  /* the mask of a process that is none of ours */

#define QUIET 0
#define MOVING 1
#define COMMITTED 2

#define DONE 0
#define REFUSED 1  /* of look(): a thread is away */
#define GONE 2

#define ID(rank, thread) (2 * (rank) + (thread))

byte at[4] = { 0, 0, 1, 1 };  /* [ID] mask of the thread */
byte n_threads[2] = { 1, 1 };
bit lives[2] = { 1, 1 };
bit forbidden[4];  /* [2 * rank + mask] */
bit shrunk;        /* any of them is */
byte other[4] = { FOREIGN, FOREIGN, FOREIGN, FOREIGN };  /* [ID] mask of who gets it when it is free */

/* The journal. */
bit steered[2] = { 1, 1 };
byte home[2] = { 0, 1 };
byte home_number[2];
byte number, phase, home_a, home_b;  /* the word of the swap; slots are ranks 0 and 1 */
byte lease = 1;                      /* its holder; 0: free */

bit finished[2];  /* actuators that came to their end */

#ifdef THREAD_ID_REUSED
bit thread_ended[2];
#define IS_OURS(rank, thread) (lives[rank] && !(thread == 1 && thread_ended[rank]))
#else
#define IS_OURS(rank, thread) lives[rank]
#endif

/* The mask that is given back, which is the new process's where that had the id when the mask was read. */
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

/* Whoever has the id. */
#define MASK(rank, thread) (IS_OURS(rank, thread) -> at[ID(rank, thread)] : other[ID(rank, thread)])

/* is_away(), of the mask that was read. Masks of the program's own are left out, so ALL is what the kernel gave,
 * or release(): it is left alone, but for the first thread. A foreign mask is taken to lie in one of the homes,
 * which is the worst that it can do. */
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

/* cw_process_move(); each pass sees the threads that are there at its begin. */
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

/* As of act/swap.c; so are the next two. */
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

/* What an actuator knows; w_: of the swap's word. All are 0 where they mean nothing, so that states are few. */
#define LOCALS \
  unsigned thread : 2, n : 2, now : 2, outcome : 2, seen_number : 2, seen_home : 2, \
    w_phase : 2, w_number : 2, w_a : 2, w_b : 2; \
  bit moved

/* cw_lease_take(), until it succeeds: of a lease that is held the end may come at any moment. */
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
  false  /* a process that goes away is one more state */
}

/* A cpuset shrinks: threads on a mask that they may not have any more are let run everywhere else. */
inline forbid(rank, mask) {
  forbidden[2 * rank + mask] = 1; shrunk = 1;
  if :: at[ID(rank, 0)] == mask -> at[ID(rank, 0)] = ALL :: else fi;
  if :: at[ID(rank, 1)] == mask -> at[ID(rank, 1)] = ALL :: else fi
}

/* A new thread has the mask of the one that starts it. */
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

/* The kernel's doing, or else release()'s. */
#ifdef NO_LATER_RECOVERY
#define MAY_BE_ANYWHERE shrunk
#else
#define MAY_BE_ANYWHERE true
#endif

#define IS_HOME(rank) \
  (!lives[rank] || !steered[rank] || (at[ID(rank, 0)] == home[rank] && \
    (n_threads[rank] == 1 || at[ID(rank, 1)] == home[rank] || (MAY_BE_ANYWHERE && at[ID(rank, 1)] == ALL))))

/* What a recovery with no actuator left does to every state. It puts everything back, and so adds no state. */
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
