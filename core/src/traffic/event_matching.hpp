/// Matches the send and the receive of each message.
#pragma once

#include "corewise/events.hpp"

namespace corewise {

/// Sets Event::matches of point-to-point messages. @pre The events are sorted, and completed_by is set.
///
/// Messages between two ranks with the same communicator and tag are matched in the order in which their
/// sends and receives are posted (MPI 4.0, 3.5). A message that is received with MPI_Mprobe or MPI_Improbe
/// counts as posted by that call.
void match_messages(EventLog& log);

}  // namespace corewise
