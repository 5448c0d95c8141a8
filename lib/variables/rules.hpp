// SPDX-License-Identifier: BSD-3-Clause
// The values that nestbind's own environment variables may have.
#pragma once

namespace nestbind::variables {

struct Rule {
  const char* name;
  bool (*is_good)(const char* value);
  const char* expected;  // "0 or 1"
};

// The rule for a variable; null where nestbind has none of this name.
const Rule* rule_of(const char* name);

}  // namespace nestbind::variables
