// SPDX-License-Identifier: BSD-3-Clause
// The signs in the names of files that users give: %h, %p, %r and %%.
#pragma once

#include <limits.h>
#include <unistd.h>

#include "support/text_writer.hpp"

namespace nestbind::support {

// Replaces %h by the host, %p by the process, and %r by the rank that the launcher has told, or
// else by `by_hand`. Keeps any other sequence; returns the first one, or null.
inline const char* expand_file_name(const char* name, const char* told_rank, int by_hand,
                                    TextBuffer& out) {
  const char* unknown = nullptr;
  for (; *name != '\0'; ++name) {
    const char sign = *name == '%' ? name[1] : '\0';
    if (sign == 'h') {
      char host[HOST_NAME_MAX + 1] = "";
      gethostname(host, sizeof host - 1);
      out.add("%s", host);
    } else if (sign == 'p') {
      out.add("%d", static_cast<int>(getpid()));
    } else if (sign == 'r') {
      told_rank == nullptr ? out.add("%d", by_hand) : out.add("%s", told_rank);
    } else if (*name != '%' || sign == '%') {
      out.add("%c", *name);
    } else {
      unknown = unknown == nullptr ? name : unknown;
      out.add("%.2s", name);
    }
    name += sign == '\0' ? 0 : 1;
  }
  return unknown;
}

}  // namespace nestbind::support
