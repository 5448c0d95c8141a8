// SPDX-License-Identifier: BSD-3-Clause
#include "process/file_name.hpp"

#include <limits.h>
#include <unistd.h>

#include "process/rank.hpp"

namespace nestbind::process {

void expand_file_name(const char* name, support::TextBuffer& out) {
  for (; *name != '\0'; ++name) {
    if (name[0] != '%' || name[1] == '\0') {
      out.add("%c", *name);
      continue;
    }
    ++name;
    if (*name == 'h') {
      char host[HOST_NAME_MAX + 1] = "";
      gethostname(host, sizeof host - 1);
      out.add("%s", host);
    } else if (*name == 'p') {
      out.add("%d", static_cast<int>(getpid()));
    } else if (*name == 'r') {
      const char* const told = told_rank();
      told == nullptr ? out.add("%d", rank_by_hand()) : out.add("%s", told);
    } else if (*name == '%') {
      out.add("%%");
    } else {
      out.add("%%%c", *name);
    }
  }
}

}  // namespace nestbind::process
