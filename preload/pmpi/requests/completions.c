/* Operations of watched calls. An operation is found by the handle that it had before the call. */
#include "completions.h"

#include <string.h>

#include "../../store/store.h"
#include "calls/types.h"
#include "comms/groups.h"
#include "watch.h"

/* Buffers of the watch for `n` requests. Returns the one for handles, or NULL after counting a fault. */
static uint64_t* make_room(struct cw_watch* watch, size_t n) {
  uint64_t* handles = cw_watch_array(CW_ARRAY_HANDLES, n * sizeof *handles);
  watch->completions = cw_watch_array(CW_ARRAY_COMPLETIONS, n * sizeof *watch->completions);
  watch->operations = cw_watch_array(CW_ARRAY_OPERATIONS, n * sizeof *watch->operations);
  if (handles == NULL || watch->completions == NULL || watch->operations == NULL) {
    cw_store_fault(CW_FAULT_NO_MEMORY);
    return NULL;
  }
  watch->handles = handles;
  watch->n_handles = (uint32_t)n;
  watch->begun = cw_requests_begun();
  return handles;
}

void cw_watch_requests(struct cw_watch* watch, MPI_Count n, struct cw_requests requests) {
  const size_t n_all = n > 0 && requests.values != NULL ? (size_t)n : 0;
  uint64_t* handles = make_room(watch, n_all);
  if (handles == NULL) return;
  for (size_t i = 0; i < n_all; ++i) handles[i] = cw_request_number(cw_request_at(requests, (uint32_t)i));
  watch->requests = requests.values;
  watch->in_fortran = requests.fortran;
}

void cw_watch_message(struct cw_watch* watch, MPI_Message message) {
  uint64_t* handles = make_room(watch, 1);
  if (handles == NULL) return;
  handles[0] = cw_message_number(message);
  watch->requests = NULL;
}

static void* choose_statuses(struct cw_watch* watch, MPI_Count n, void* given, bool ignored) {
  if (ignored && n > 0) {
    void* own = cw_watch_array(CW_ARRAY_STATUSES, (size_t)n * sizeof(MPI_Status));
    if (own != NULL) {
      watch->statuses = own;
      return own;
    }
    cw_store_fault(CW_FAULT_NO_MEMORY);
  }
  watch->statuses = ignored ? NULL : given;
  return given;
}

MPI_Status* cw_watch_statuses(struct cw_watch* watch, MPI_Count n, MPI_Status* given) {
  return choose_statuses(watch, n, given, given == MPI_STATUS_IGNORE);
}

void* cw_watch_fortran_statuses(struct cw_watch* watch, MPI_Count n, void* given) {
  return choose_statuses(watch, n, given, cw_fortran_status_ignored(given));
}

/* A Fortran status has the same bytes as a C status, but maybe not the same alignment. */
static MPI_Status status_at(const struct cw_watch* watch, uint32_t i) {
  MPI_Status status;
  memcpy(&status, (const char*)watch->statuses + i * sizeof status, sizeof status);
  return status;
}

/* The message that a status describes; `asked`: what the receive specified. `members`: the ranks of the
 * communicator, or NULL. */
static struct cw_message arrived(const MPI_Status* status, struct cw_message asked,
                                 const struct cw_members* members) {
  const int rank = status->MPI_SOURCE;
  MPI_Count bytes = 0;
  if (PMPI_Get_elements_x(status, cw_type_byte, &bytes) != MPI_SUCCESS || bytes < 0) bytes = 0;
  if (asked.peer == CW_PEER_ANY) {
    const bool is_member = members != NULL && rank >= 0 && (uint32_t)rank < members->n;
    asked.peer = is_member ? members->world[rank] : CW_PEER_FOREIGN;
  }
  return (struct cw_message){.peer = asked.peer, .tag = status->MPI_TAG, .bytes = (uint64_t)bytes};
}

void cw_watch_got(struct cw_watch* watch, bool flag) {
  struct cw_call* call = &watch->call;
  if (call->error != MPI_SUCCESS || !flag || watch->statuses == NULL ||
      (call->flags & (CW_CALL_RECEIVES | CW_CALL_PROBES)) == 0)
    return;
  const MPI_Status status = status_at(watch, 0);
  call->received = arrived(&status, call->received, watch->group == NULL ? NULL : watch->group->members);
  call->flags |= CW_CALL_GOT;
}

/* Reports the end of an operation to observers. `i`: index of its status; < 0: it has none. */
static void complete(struct cw_watch* watch, const struct cw_request* request, int i, uint8_t flags,
                     int error) {
  const uint32_t at = watch->call.n_completed++;
  struct cw_completion* done = &watch->completions[at];
  watch->operations[at] = request->operation;
  *done = (struct cw_completion){.operation = &watch->operations[at],
                                 .flags = flags,
                                 .error = error,
                                 .received = request->operation.received};
  watch->call.completed = watch->completions;
  if (i < 0 || error != MPI_SUCCESS || watch->statuses == NULL) return;
  const MPI_Status status = status_at(watch, (uint32_t)i);
  int cancelled = 0;
  if (PMPI_Test_cancelled(&status, &cancelled) == MPI_SUCCESS && cancelled) {
    done->flags |= CW_COMPLETED_CANCELLED;
  } else if ((request->operation.flags & CW_CALL_RECEIVES) != 0) {
    done->received = arrived(&status, done->received, request->members);
    done->flags |= CW_COMPLETED_STATUS;
  }
}

/* Completes the request that had the i-th handle before the call and has the j-th status after it. */
static void finish(struct cw_watch* watch, uint32_t i, uint32_t j, int error) {
  struct cw_request* request = cw_requests_complete(watch->handles[i], watch->begun);
  if (request == NULL) return;
  complete(watch, request, (int)j, 0, error);
  request->operation.number = 0;
  if (!request->is_persistent) cw_request_free(request);
}

/* A generalized request may return an error code that MPI did not create. Open MPI would call the program's
 * error handler if asked for the class of such a code. Open MPI's own codes are equal to
 * their classes. */
static int error_class(const struct cw_watch* watch) {
  int class = watch->call.error;
#ifndef OPEN_MPI
  PMPI_Error_class(watch->call.error, &class);
#endif
  return class;
}

/* After a failed call: did this request complete, and with which error? If a call has several requests, their
 * statuses have the errors (MPI 3.1, 3.7.5). Otherwise, a request whose handle has changed is complete. */
static bool has_failed(const struct cw_watch* watch, uint32_t i, uint32_t j, int* error) {
  if (error_class(watch) == MPI_ERR_IN_STATUS && watch->statuses != NULL) {
    const MPI_Status status = status_at(watch, j);
    *error = status.MPI_ERROR;
    return *error != MPI_ERR_PENDING;
  }
  *error = watch->call.error;
  if (watch->requests == NULL) return true; /* MPI_Mrecv: the message is consumed in any case */
  const struct cw_requests requests = {.values = watch->requests, .fortran = watch->in_fortran};
  return cw_request_number(cw_request_at(requests, i)) != watch->handles[i];
}

static void finish_or_fail(struct cw_watch* watch, uint32_t i, uint32_t j) {
  int error = MPI_SUCCESS;
  if (i < watch->n_handles && (watch->call.error == MPI_SUCCESS || has_failed(watch, i, j, &error)))
    finish(watch, i, j, error);
}

void cw_watch_all_done(struct cw_watch* watch, bool flag) {
  watch->call.flags |= CW_CALL_COMPLETES;
  const bool done = flag || watch->call.error != MPI_SUCCESS;
  for (uint32_t i = 0; done && i < watch->n_handles; ++i) finish_or_fail(watch, i, i);
}

void cw_watch_any_done(struct cw_watch* watch, bool flag, int index, int base) {
  watch->call.flags |= CW_CALL_COMPLETES;
  if (flag && index != MPI_UNDEFINED && index >= base) finish_or_fail(watch, (uint32_t)(index - base), 0);
}

void cw_watch_some_done(struct cw_watch* watch, int n, struct cw_counts indices, int base) {
  watch->call.flags |= CW_CALL_COMPLETES;
  const bool written = watch->call.error == MPI_SUCCESS || error_class(watch) == MPI_ERR_IN_STATUS;
  for (uint32_t j = 0; written && (int)j < n && j < watch->n_handles; ++j)
    finish_or_fail(watch, (uint32_t)(cw_count_at(indices, j) - base), j);
}

/* Sets the operation that observers see. A receive from any source also keeps the ranks of the communicator,
 * to translate the source later. */
static void describe(const struct cw_watch* watch, struct cw_request* request) {
  const struct cw_call* call = &watch->call;
  request->operation = (struct cw_operation){.call = call->call,
                                             .flags = call->flags & (CW_CALL_SENDS | CW_CALL_RECEIVES),
                                             .comm = call->comm == NULL ? 0 : call->comm->id,
                                             .sent = call->sent,
                                             .received = call->received};
  if (call->received.peer == CW_PEER_ANY && watch->group != NULL)
    request->members = cw_members_hold(watch->group->members);
}

/* Observers get copies, because another thread may complete the operation before they read it. */
static void tell_posted(struct cw_watch* watch, const struct cw_operation* operation) {
  struct cw_operation* posted = cw_watch_array(CW_ARRAY_POSTED, (watch->call.n_posted + 1) * sizeof *posted);
  if (posted == NULL) {
    cw_store_fault(CW_FAULT_NO_MEMORY);
    return;
  }
  posted[watch->call.n_posted++] = *operation;
  watch->call.posted = posted;
}

void cw_watch_posts(struct cw_watch* watch, MPI_Request handle) {
  struct cw_request* request = cw_request_new(false);
  if (request == NULL) return;
  describe(watch, request);
  cw_request_begin(request, watch->call.begin);
  tell_posted(watch, &request->operation);
  cw_requests_enter(request, cw_request_number(handle));
}

void cw_watch_probed(struct cw_watch* watch, MPI_Message message) {
  if ((watch->call.flags & CW_CALL_GOT) == 0) return;
  struct cw_request* request = cw_request_new(false);
  if (request == NULL) return;
  describe(watch, request);
  request->operation.flags = CW_CALL_RECEIVES;
  cw_request_begin(request, watch->call.begin);
  tell_posted(watch, &request->operation);
  cw_requests_enter(request, cw_message_number(message));
}

void cw_watch_request_of_message(struct cw_watch* watch, MPI_Request handle) {
  if (watch->n_handles == 0) return;
  struct cw_request* request = cw_requests_complete(watch->handles[0], watch->begun);
  if (request != NULL) cw_requests_enter(request, cw_request_number(handle));
}

void cw_watch_prepares(struct cw_watch* watch, struct cw_request* request) {
  watch->call.flags |= CW_CALL_PREPARES;
  if (request != NULL) describe(watch, request);
}

void cw_watch_starts(struct cw_watch* watch, struct cw_request* request) {
  cw_request_begin(request, watch->call.begin);
  tell_posted(watch, &request->operation);
}

void cw_watch_gives_back(struct cw_watch* watch, const struct cw_request* request) {
  if (request->operation.number != 0 && watch->n_handles == 1)
    complete(watch, request, -1, CW_COMPLETED_FREED, MPI_SUCCESS);
}
