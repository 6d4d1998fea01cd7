/* The swap protocol of preload/steer/act as a model for Spin: whatever ends or stops, all ranks end on their homes.
 *
 * Two ranks of THREADS threads each, on two masks; two actuators that each try a swap; an environment that kills
 * an actuator, kills a rank, whose pid another process then gets, and takes a mask away (a cpuset that shrinks),
 * each at any moment or never. That an actuator is stopped needs nothing: any of its steps may come late, and a
 * lease may run out at any moment. At the end a rank that lives recovers once more, as ranks do now and then.
 *
 * Every step of act/swap.c that others can see is a step here, but the note of threads' own masks: it is the same
 * whenever it is taken, for it holds places within a home. A compare-and-exchange is one step. Nodes share
 * nothing in this protocol: a second node is a second copy of all this, so one is checked.
 * tests/end_to_end/test_steer_model.py runs it.
 *
 * Mutations that the checker must find wrong: NO_RECOVERY (nobody mends), NO_STEAL (a lease never runs out),
 * NO_NUMBERS (stores of homes do not look at the number of the swap), NO_RESTORE (a mask that went to another
 * process with the same pid is not given back). */

#ifndef THREADS
#define THREADS 1  /* of each rank; with 2 the search did not end in 200 s */
#endif

#define ALL 2      /* every PU that the kernel allows */
#define FOREIGN 3  /* the mask of a process that is none of ours */

#define QUIET 0
#define MOVING 1
#define COMMITTED 2

#define DONE 0
#define REFUSED 1
#define GONE 2

byte at[4] = { 0, 0, 1, 1 };  /* [2 * rank + thread] -> mask */
bool lives[2] = { true, true };
bool steered[2] = { true, true };
bool forbidden[4];            /* [2 * rank + mask] */
byte other[2] = { FOREIGN, FOREIGN };  /* mask of the process that gets the pid of a rank that ended */

byte home[2] = { 0, 1 };
byte home_number[2];
byte number, phase, home_a, home_b;  /* the word of the swap; slots are ranks 0 and 1 */

byte lease, stamps;  /* 0: free */
bool works[2] = { true, true };
bool finished[2];    /* actuators that came to their end */

/* All threads of a rank, one after the other. The pid's owner is looked at before and behind each. */
inline move(rank, mask, result) {
  result = DONE;
  thread = 0;
  do
  :: thread < THREADS && result == DONE ->
    if
    :: !lives[rank] -> result = GONE
    :: lives[rank] ->
      atomic {
        if
        :: !lives[rank] -> other[rank] = mask
        :: lives[rank] && mask < ALL && forbidden[2 * rank + mask] -> result = REFUSED
        :: else -> at[2 * rank + thread] = mask
        fi
      }
      if
      :: !lives[rank] ->
#ifndef NO_RESTORE
        other[rank] = FOREIGN;
#endif
        result = GONE
      :: else -> thread++
      fi
    fi
  :: else -> break
  od;
  thread = 0
}

inline store_home(rank, new_number, new_home) {
  atomic { seen_number = home_number[rank]; seen_home = home[rank] }
#ifdef NO_NUMBERS
  home[rank] = new_home;
#else
  if
  :: seen_number < new_number ->
    atomic {
      if
      :: home_number[rank] == seen_number && home[rank] == seen_home ->
        home[rank] = new_home; home_number[rank] = new_number
      :: else
      fi
    }
  :: else
  fi;
#endif
  seen_number = 0; seen_home = 0
}

inline send_home(rank) {
  if
  :: steered[rank] && (at[2 * rank] != home[rank] || at[2 * rank + THREADS - 1] != home[rank]) ->
    move(rank, home[rank], outcome);
    if
    :: outcome == REFUSED -> move(rank, ALL, outcome); steered[rank] = false
    :: else
    fi
  :: else
  fi;
  outcome = DONE
}

inline recover() {
#ifndef NO_RECOVERY
  atomic { r_phase = phase; r_number = number; r_home_a = home_a; r_home_b = home_b }
  if
  :: r_phase == COMMITTED -> store_home(0, r_number, r_home_b); store_home(1, r_number, r_home_a)
  :: else
  fi;
  atomic {
    if
    :: r_phase != QUIET && phase == r_phase && number == r_number -> phase = QUIET
    :: else
    fi;
    r_phase = 0; r_number = 0; r_home_a = 0; r_home_b = 0
  }
  send_home(0);
  send_home(1)
#else
  skip
#endif
}

/* A lease may run out at any moment: a held one may always be taken. */
inline take(mine) {
  atomic {
    if
    :: lease == 0 -> stamps++; lease = stamps; mine = lease
#ifndef NO_STEAL
    :: lease != 0 -> stamps++; lease = stamps; mine = lease
#endif
    :: lease != 0 -> mine = 0
    fi
  }
}

#define LOCALS \
  byte thread, outcome, seen_number, seen_home, r_phase, r_number, r_home_a, r_home_b

proctype actuator(byte me) provided (works[me]) {
  LOCALS;
  byte mine, my_number, my_home_a, my_home_b;
  bool done = false;
  take(mine);
  if
  :: mine == 0 -> goto end
  :: else
  fi;
  recover();
  if
  :: lease != mine || !lives[0] || !lives[1] || !steered[0] || !steered[1] -> goto finish
  :: else
  fi;
  atomic {
    if
    :: phase != QUIET -> goto finish
    :: else ->
      number++; phase = MOVING; home_a = home[0]; home_b = home[1];
      my_number = number; my_home_a = home_a; my_home_b = home_b
    fi
  }
  if
  :: lease != mine -> goto finish
  :: else
  fi;
  move(0, my_home_b, outcome);
  if
  :: lease != mine || outcome != DONE -> goto finish
  :: else
  fi;
  move(1, my_home_a, outcome);
  if
  :: lease != mine || outcome != DONE -> goto finish
  :: else
  fi;
  if
  :: !lives[0] || !lives[1] || at[0] != my_home_b || at[THREADS - 1] != my_home_b || at[2] != my_home_a || at[1 + THREADS] != my_home_a ->
    goto finish
  :: else
  fi;
  atomic {
    if
    :: phase == MOVING && number == my_number -> phase = COMMITTED
    :: else -> goto finish
    fi
  }
  store_home(0, my_number, my_home_b);
  store_home(1, my_number, my_home_a);
  atomic {
    if
    :: phase == COMMITTED && number == my_number -> phase = QUIET; done = true
    :: else
    fi
  }
finish:
  outcome = DONE;
  if
  :: lease == mine ->
    if
    :: !done -> recover()
    :: else
    fi;
    atomic {
      if
      :: lease == mine -> lease = 0
      :: else
      fi
    }
  :: else
  fi;
end:
  finished[me] = true
}

inline forbid(rank, mask) {
  atomic {
    forbidden[2 * rank + mask] = true;
    if :: at[2 * rank] == mask -> at[2 * rank] = ALL :: else fi;
    if :: at[2 * rank + 1] == mask -> at[2 * rank + 1] = ALL :: else fi
  }
}

/* One of its deeds at any moment, or none; with ALL_DEEDS up to one of each kind, which takes minutes. */
active proctype environment() {
#ifdef ALL_DEEDS
  if :: works[0] = false :: works[1] = false :: skip fi;
  if :: lives[0] = false :: lives[1] = false :: skip fi;
  if :: forbid(0, 1) :: forbid(1, 0) :: skip fi;
#else
  if
  :: works[0] = false
  :: works[1] = false
  :: lives[0] = false
  :: lives[1] = false
  :: forbid(0, 1)
  :: forbid(1, 0)
  :: skip
  fi;
#endif
  /* Then, when every actuator has ended or was killed, a rank that lives recovers. */
  LOCALS;
  ((finished[0] || !works[0]) && (finished[1] || !works[1]));
#ifdef NO_STEAL
  if
  :: lease == 0 -> recover()
  :: else
  fi;
#else
  stamps++; lease = stamps;  /* whoever held it has ended: it ran out */
  recover();
#endif
  assert(home[0] != home[1]);
  assert(other[0] == FOREIGN && other[1] == FOREIGN);
  assert(!lives[0] || !steered[0] || (at[0] == home[0] && at[THREADS - 1] == home[0]));
  assert(!lives[1] || !steered[1] || (at[2] == home[1] && at[1 + THREADS] == home[1]));
  assert(home[0] + home[1] == 1)
}

init {
  atomic { run actuator(0); run actuator(1) }
}
