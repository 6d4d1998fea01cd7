/// The runtime in one include: run, tasks, loops, global arrays, distributed hash maps.
#pragma once

#include "corewise/pgas/error.hpp"          // IWYU pragma: export
#include "corewise/pgas/global_array.hpp"   // IWYU pragma: export
#include "corewise/pgas/hash_map.hpp"       // IWYU pragma: export
#include "corewise/pgas/hash_multimap.hpp"  // IWYU pragma: export
#include "corewise/pgas/parallel.hpp"       // IWYU pragma: export
#include "corewise/pgas/run.hpp"            // IWYU pragma: export
#include "corewise/pgas/task.hpp"           // IWYU pragma: export
