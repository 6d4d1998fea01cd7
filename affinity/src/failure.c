/* Each status in words, and the message that explains a failure to the caller. */
#include "failure.h"

#include <stdarg.h>
#include <stdio.h>

const char* cw_status_string(cw_status_t status) {
  switch (status) {
    case CW_OK:
      return "fine";
    case CW_ERR_ARGUMENT:
      return "an argument or option is wrong";
    case CW_ERR_TOPOLOGY:
      return "hwloc could not read the topology";
    case CW_ERR_OVERRIDE:
      return "the overrides have an error";
    case CW_ERR_RANGE:
      return "no such thread, role or policy";
    case CW_ERR_FOREIGN:
      return "the plan is of another machine than this one";
    case CW_ERR_SYSTEM:
      return "the operating system refused";
    case CW_ERR_DIFFERS:
      return "a thread is bound otherwise than planned";
    case CW_ERR_NO_MEMORY:
      return "out of memory";
  }
  return "unknown status";
}

cw_status_t cw_fail(const cw_thread_plan_options_t* options, cw_status_t status, const char* format, ...) {
  if (options->message != NULL && options->message_size > 0) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(options->message, options->message_size, format, arguments);
    va_end(arguments);
  }
  return status;
}
