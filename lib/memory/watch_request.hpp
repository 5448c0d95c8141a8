// SPDX-License-Identifier: BSD-3-Clause
// How a watched process is asked what it knows by now: whoever asks makes an empty file with this
// name, its own and nobody else's to write, and the process writes its report into it. It removes
// the name first, and closes the file behind the report: by that is known that no more comes.
#pragma once

#include <cstddef>
#include <cstdio>

namespace nestbind::memory {

inline constexpr char kRequests[] = "/dev/shm";
inline constexpr std::size_t kMostRequest = 96;

// user: whom the process runs as. process: its number, as it knows it itself.
inline void print_request(unsigned user, int process, char (&text)[kMostRequest]) {
  snprintf(text, sizeof text, "%s/nestbind-memory-%u-%d", kRequests, user, process);
}

}  // namespace nestbind::memory
