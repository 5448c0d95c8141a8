// SPDX-License-Identifier: BSD-3-Clause
#include "memory/watch/tier.hpp"

#include <errno.h>

#include <catch2/catch.hpp>
#include <string>

using namespace nestbind::memory;

TEST_CASE("what can be known, and what an administrator could do") {
  const auto line = [](const Circumstances& here) { return line_of(here); };
  CHECK(measurement_level({4, true, 0, 2}) == MeasurementLevel::kHints);
  CHECK(measurement_level({4, false, 0, 2}) == MeasurementLevel::kTouches);
  CHECK(measurement_level({1, true, 0, 2}) == MeasurementLevel::kTouches);
  CHECK(measurement_level({4, true, EACCES, 3}) == MeasurementLevel::kPages);
  CHECK(std::string(name(MeasurementLevel::kHints)) == "hints");
  CHECK(line({4, false, 0, 2})
            .ends_with("an administrator changes that by: sysctl kernel.numa_balancing=1"));
  CHECK(line({4, true, EACCES, 3}) ==
        "only where pages are is known, not who touches them: kernel.perf_event_paranoid is 3; an "
        "administrator "
        "changes that by: sysctl kernel.perf_event_paranoid=2");
  CHECK(line({4, true, EPERM, 2}).find("seccomp") != std::string::npos);
  // A sandbox that root is in, whom the setting does not concern.
  CHECK(line({4, true, EPERM, 3}).find("seccomp") != std::string::npos);
  CHECK(line({4, true, EPERM, 3}).find("paranoid") == std::string::npos);
  CHECK(line({4, true, ENOSYS, 2}).ends_with("perf_event_open: Function not implemented"));
  CHECK(line({1, false, 0, 2}) ==
        "nothing to mend: this machine has one node; who touched its memory first is sampled all "
        "the same");
  CHECK(line({1, false, EACCES, 3})
            .starts_with("nothing to mend: this machine has one node; only where"));
}
