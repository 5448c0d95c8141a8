// SPDX-License-Identifier: BSD-3-Clause
#include "worksharing/unseen_loops.hpp"

#include <errno.h>

#include <atomic>

#include "omp/unseen.hpp"
#include "options/settings.hpp"
#include "process/message.hpp"
#include "process/once.hpp"
#include "support/text_writer.hpp"

namespace nestbind::worksharing {

namespace {

constinit std::atomic<const char*> g_why{nullptr};

void tell(process::Severity severity, const char* why, const char* remedy) {
  const char* none = nullptr;
  if (g_why.compare_exchange_strong(none, why)) {
    process::say(severity, "%s %s: the runtime schedules its loops%s%s",
                 support::Shown(program_invocation_name).text, why, remedy[0] == '\0' ? "" : "; ",
                 remedy);
  }
}

}  // namespace

void look_for_unseen(bool is_of_environment) {
  static constinit process::Once once;
  once.run([is_of_environment] {
    const bool is_strict = is_of_environment && options::settings().strict;
    const omp::Unseen* unseen = omp::late(omp::Purpose::kLoops);
    if (unseen == nullptr) {
      unseen = is_strict ? omp::unseen_at_start() : omp::unseen_at_once();
    }
    if (unseen == nullptr) {
      return;
    }
    tell(is_strict ? process::Severity::kError : process::Severity::kWarning, unseen->why,
         unseen->remedy_for_loops);
    if (is_strict) {
      process::refuse();
    }
  });
}

void tell_unknown_team() {
  if (why_unseen() != nullptr) {
    return;  // this is called at each loop
  }
  tell(process::Severity::kWarning,
       "is on an OpenMP runtime that does not report its teams (OMP_TOOL=disabled, or another "
       "tool in the program)",
       "");
}

const char* why_unseen() { return g_why.load(std::memory_order_relaxed); }

}  // namespace nestbind::worksharing
