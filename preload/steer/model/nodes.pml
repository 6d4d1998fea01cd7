/* Spin model of the messages between two nodes of a steered job: preload/steer/nodes, live and decide.c.
 *
 * The messenger of each node sends the newest report that its leader posted on the board. It also receives reports of
 * the other node and posts them. It works only inside MPI calls of the program, which may come late; the last one is
 * MPI_Finalize. Messages are synchronous sends, complete when the other side has started to receive; receiving may
 * continue after that. Writing and reading a board is one step each, because sequence numbers make it appear so. The
 * contents of reports do not influence when messages are sent, so there are two models with the same messenger.
 *
 * Without REQUESTS: MPI_Finalize, with a third rank that does nothing else. Left out: MPI calls that fail, and a rank
 * that continues after waiting for a minute. Checked: at most one message in each direction is in progress; no rank
 * waits forever; when a rank leaves, no message to or from it is in progress or partly received.
 *
 * With REQUESTS: node 0 asks node 1 to move a rank to a core as fast as its peer's. The leader of a node may be
 * replaced once, at any time, and does nothing afterwards, but its requests may still arrive. How node 1 handles a
 * request is not determined: its guard may refuse the swap, and a swap may be kept or undone. One window with a request
 * suffices for a swap, the setting that allows most behaviours. Checked: node 1 acts on a request at most once, and
 * only if the rank is not on such a core.
 *
 * tests/end_to_end/test_steer_model.py runs it. Options:
 * - Behaviours that the C code excludes; the checker must find an error. LATE_LEADER: a leader that was stopped within
 *   a step finishes the step although another one leads. SYMPTOM: requires that the pair still shows the symptom when
 *   node 1 acts.
 * - Mutations; the checker must find an error: NO_TEST (the next message is sent before the last was received),
 *   NO_SECOND_BARRIER (a rank leaves when its own messages were received), NO_RECEIVING (a rank in a barrier
 *   receives nothing), LEAVES_HALF (a rank leaves when receiving its messages has started); with REQUESTS:
 *   NO_NUMBERS (a request is taken from every report), FIRST_REPORT (a new leader takes the request in the first
 *   report that it sees), NO_CORE (a rank that is on such a core already is moved, too). */

#define N_RANKS 3     /* that call MPI_Finalize */
#define N_REPORTS 3   /* of the first leader; the second has one less, to keep the number of states small */
#define N_REQUESTS 2  /* of all leaders of node 0 together */

typedef report {
  byte number;          /* counts reports of a leader; 0: none yet */
  byte request_number;  /* counts requests of a leader */
  byte request          /* counts requests of all leaders, for the checks */
};

report own[2];    /* [node] on its board, posted by its leader */
report other[2];  /* [node] on its board, posted by its messenger */

/* The messages of node 0 and of node 1. */
#ifdef NO_TEST
#define ROOM 2
#else
#define ROOM 1
#endif
chan wire0 = [ROOM] of { byte, byte, byte };  /* sent, receiving has not started */
chan wire1 = [ROOM] of { byte, byte, byte };
bit under_way[2];  /* the sender does not know yet that it was received */
bit receiving[2];  /* [node that receives] */

byte in_barrier[2];  /* number of ranks in it */

byte leads[2];     /* [node] number of its leader, from 0 */
byte n_requests;   /* numbered from 1 */
bit on_core;       /* the rank is on a core as fast as its peer's */
bit symptom = 1;   /* may end at any time, which matters only to SYMPTOM */
byte n_acts[N_REQUESTS + 1];  /* [request] */

#ifdef LATE_LEADER
#define STILL_LEADS(node) true
#else
#define STILL_LEADS(node) leads[node] == me
#endif

/* Leader of node 0: cw_leader_step(), as far as node 1 notices. */
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

/* Leader of node 1: take_node(), and the result of a window. Requests that arrive during probation are lost. */
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
    :: skip  /* the window is not complete yet */
    :: on_probation ->
      if
      :: skip
      :: atomic { STILL_LEADS(1) -> on_core = 0 }  /* undone */
      :: leads[1] != me -> break
      fi;
      on_probation = 0; requested = 0
    :: atomic { !on_probation && requested == 0 && leads[1] == me -> on_core = !on_core }  /* another metric */
    :: !on_probation && requested != 0 ->
      if
      :: skip  /* the guard refuses it */
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

/* Steps of channel.c. */
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

/* The messenger of a node: calls of the program up to MPI_Finalize. */
proctype messenger(byte node; chan out; chan in) {
  byte number, request_number, request;  /* of the message being received */
  byte sent;                             /* number of the last report that was sent */
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
  receiving[node] = 0;  /* the rest arrives without the sender's help */
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

/* A leader whose reports contain no request. */
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
