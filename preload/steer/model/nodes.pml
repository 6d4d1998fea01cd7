/* What two nodes of a job tell each other, as a model for Spin: preload/steer/live, share and decide.c.
 *
 * The messenger of each node sends the newest report that its leader posted on the board, receives the other's, and
 * posts that. It does so in calls of the program, which may come late, and the last of which is MPI_Finalize. A
 * message is a synchronous send: complete when the other side has begun to receive it, which may go on from then on.
 * A board is written and read in one step each, as its sequence numbers let it seem. What reports ask for changes
 * nothing in when messages go, so there are two models of the same messenger.
 *
 * MPI_Finalize: a third rank does nothing but come there. Left out: MPI calls that fail, and a rank that waited for a
 * minute and goes on. Checked: one message a direction is under way at most; no rank waits for ever; none has a
 * message under way to or from it, or received in part, when it leaves.
 *
 * REQUESTS: node 0 asks node 1 to bring a rank to a core like its peer's. Who leads a node may be replaced once at
 * any moment, and takes no step behind that; what it asked for may still arrive. What node 1 makes of a request is
 * its own business: its guard allows a swap or not, which is then kept or taken back. One window with a request
 * suffices for a swap, the setting with which most can happen. Checked: node 1 acts on a request once at most, and
 * only where the rank is not on such a core.
 *
 * tests/end_to_end/test_steer_model.py runs it. Options:
 * - What the C code does not reach, so that the checker finds it wrong. LATE_LEADER: the same where a leader that
 *   was stopped within a step goes on with it though another one leads. SYMPTOM: the pair still shows the symptom
 *   when node 1 acts.
 * - Mutations that the checker must find wrong: NO_TEST (the next message goes before the last was received),
 *   NO_SECOND_BARRIER (a rank leaves when its own messages were received), NO_RECEIVING (a rank in a barrier
 *   receives nothing), LEAVES_HALF (a rank leaves when its messages were begun to be received); with REQUESTS:
 *   NO_NUMBERS (a request is taken from every report), FIRST_REPORT (a new leader takes that of the first report
 *   that it sees), NO_CORE (a rank that is on such a core is moved, too). */

#define N_RANKS 3     /* that come to MPI_Finalize */
#define N_REPORTS 3   /* of a leader; one that follows it has one less, for the number of states */
#define N_REQUESTS 2  /* of all leaders of node 0 */

typedef report {
  byte number;          /* of its leader's reports; 0: none yet */
  byte request_number;  /* of its leader's requests */
  byte request          /* which one this is, of all: for what is checked */
};

report own[2];    /* [node] on its board: posted by its leader */
report other[2];  /* [node] likewise: what the messenger received */

/* The messages of node 0 and of node 1. */
#ifdef NO_TEST
#define ROOM 2
#else
#define ROOM 1
#endif
chan wire0 = [ROOM] of { byte, byte, byte };  /* sent, and not begun to be received */
chan wire1 = [ROOM] of { byte, byte, byte };
bit under_way[2];  /* the sender has not seen that it was received */
bit receiving[2];  /* [node that receives] */

byte in_barrier[2];  /* ranks that entered it */

byte leads[2];     /* [node] which of its leaders; from 0 */
byte n_requests;   /* numbered from 1 */
bit on_core;       /* the rank is on a core like its peer's */
bit symptom = 1;   /* it may go at any moment, which matters to SYMPTOM alone */
byte n_acts[N_REQUESTS + 1];  /* [request] */

#ifdef LATE_LEADER
#define STILL_LEADS(node) true
#else
#define STILL_LEADS(node) leads[node] == me
#endif

/* Of node 0: cw_leader_step(), as far as node 1 hears of it. */
proctype asking(byte me) {
  byte number, request_number, request;
  (leads[0] == me);
  do
  :: leads[0] != me || number == N_REPORTS - me -> break
  :: else ->
    number++;
    if
    :: atomic { symptom && n_requests < N_REQUESTS ->
        n_requests++; request_number++; request = n_requests }
    :: skip
    fi;
    if
    :: atomic { STILL_LEADS(0) ->
        own[0].number = number; own[0].request_number = request_number; own[0].request = request }
    :: leads[0] != me -> break
    fi
  od;
  atomic { number = 0; request_number = 0; request = 0 }
}

/* Of node 1: take_node(), and what a window may lead to. Requests that come while a swap is judged are lost. */
proctype asked(byte me) {
  byte number, request_number, request;
  byte last_number, last_request_number, requested;  /* requested: in the window */
  bit on_probation;
  (leads[1] == me);
  do
  :: leads[1] != me -> break
  :: else ->
    atomic {
      number = other[1].number; request_number = other[1].request_number; request = other[1].request;
      if
      :: number != 0 && number != last_number ->
        if
#ifdef NO_NUMBERS
        :: last_number != 0 && request_number != 0 -> requested = request
#else
#ifdef FIRST_REPORT
        :: request_number > last_request_number -> requested = request
#else
        :: last_number != 0 && request_number > last_request_number -> requested = request
#endif
#endif
        :: else
        fi;
        last_number = number; last_request_number = request_number
      :: else
      fi;
      number = 0; request_number = 0; request = 0
    }
    if
    :: skip  /* the window is not whole yet */
    :: on_probation ->
      if
      :: skip
      :: atomic { STILL_LEADS(1) -> on_core = 0 }  /* taken back */
      :: leads[1] != me -> break
      fi;
      on_probation = 0; requested = 0
    :: atomic { !on_probation && requested == 0 && leads[1] == me -> on_core = !on_core }  /* another metric */
    :: !on_probation && requested != 0 ->
      if
      :: skip  /* the guard does not allow it */
#ifdef NO_CORE
      :: true ->
#else
      :: !on_core ->
#endif
        if
        :: atomic { STILL_LEADS(1) ->
            assert(!on_core);
            on_core = 1;
            n_acts[requested]++;
            assert(n_acts[requested] == 1);
#ifdef SYMPTOM
            assert(symptom);
#endif
            on_probation = 1
          }
        :: leads[1] != me -> break
        fi
      fi;
      requested = 0
    fi
  od;
  atomic { last_number = 0; last_request_number = 0; requested = 0; on_probation = 0 }
}

/* Steps of nodes/channel.c. */
#define BEGIN_TO_RECEIVE atomic { !receiving[node] && nempty(in) -> \
    in ? number, request_number, request; receiving[node] = 1 }
#define IS_RECEIVED atomic { under_way[node] && empty(out) -> under_way[node] = 0 }

inline enter_barrier(which) {
  in_barrier[which]++;
  do
  :: in_barrier[which] == N_RANKS -> break
#ifndef NO_RECEIVING
  :: BEGIN_TO_RECEIVE
  :: receiving[node] -> receiving[node] = 0
#endif
  :: IS_RECEIVED
  od
}

/* Calls of the program in a rank that is its node's messenger, the last one being MPI_Finalize. */
proctype messenger(byte node; chan out; chan in) {
  byte number, request_number, request;  /* of the message that is being received */
  byte sent;                             /* number of the last report sent */
  do
  :: BEGIN_TO_RECEIVE
  :: atomic { receiving[node] ->
      other[node].number = number; other[node].request_number = request_number; other[node].request = request;
      receiving[node] = 0; number = 0; request_number = 0; request = 0
    }
  :: IS_RECEIVED
#ifdef NO_TEST
  :: atomic { own[node].number != 0 && own[node].number != sent ->
#else
  :: atomic { !under_way[node] && own[node].number != 0 && own[node].number != sent ->
#endif
      assert(empty(out));
      sent = own[node].number;
      out ! sent, own[node].request_number, own[node].request;
      under_way[node] = 1
    }
#ifndef REQUESTS
  :: break
#endif
  od;
  enter_barrier(0);
  do
  :: !under_way[node] -> break
  :: IS_RECEIVED
  :: BEGIN_TO_RECEIVE
  :: receiving[node] -> receiving[node] = 0
  od;
#ifndef NO_SECOND_BARRIER
  enter_barrier(1);
#endif
#ifndef LEAVES_HALF
  receiving[node] = 0;  /* the rest comes without the sender's help */
#endif
  assert(empty(out) && empty(in) && !receiving[node])
}

proctype third_rank() {
  in_barrier[0]++;
  (in_barrier[0] == N_RANKS);
  in_barrier[1]++;
#ifndef NO_SECOND_BARRIER
  (in_barrier[1] == N_RANKS)
#endif
}

/* A leader whose reports ask for nothing. */
proctype reporting(byte node) {
  do
  :: own[node].number == N_REPORTS -> break
  :: else -> own[node].number++
  od
}

proctype environment() {
  do
  :: leads[0] == 0 -> leads[0] = 1
  :: leads[1] == 0 -> leads[1] = 1
#ifdef SYMPTOM
  :: symptom -> symptom = 0
#endif
  od
}

init {
  atomic {
    run messenger(0, wire0, wire1);
    run messenger(1, wire1, wire0);
#ifdef REQUESTS
    run asking(0);
    run asking(1);
    run asked(0);
    run asked(1);
    run environment()
#else
    run third_rank();
    run reporting(0);
    run reporting(1)
#endif
  }
}
