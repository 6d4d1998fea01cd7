/// Which event received the message that another one sent.
#pragma once

#include "corewise/events.hpp"

namespace corewise {

/// Sets Event::matches of point-to-point messages. The events are sorted, and completed requests known.
///
/// MPI keeps the order of messages between two ranks with one communicator and tag, in the order in which
/// sends and receives are posted (MPI 4.0, 3.5); what MPI_Mprobe or MPI_Improbe takes is posted there.
void match_messages(EventLog& log);

}  // namespace corewise
