// SPDX-License-Identifier: BSD-3-Clause
// What was gathered, as a text for people or for the command.
#pragma once

#include <string>

#include "memory/module/applying.hpp"
#include "memory/module/gathering.hpp"

namespace nestbind::memory {

// What is told of the whole process.
struct Watched {
  double seconds = 0;          // how long it was watched
  double sampler_seconds = 0;  // processor time of that
  bool always = false;         // memory is moved although the intensity is not known
};

// Empty where there is no region large enough. JSON: one line, an object with the key "memory"
// (nestbind-memory(1) describes it); in its texts stand the marks of Names.
std::string told(Gathering& gathering, Gathering::FindCode find_code, const Watched& watched,
                 bool is_json);

// What was moved, likewise. Empty where no region was large enough. JSON: an object with the key
// "apply".
std::string applied(const Gathering& gathering, const Applying& applying, const Watched& watched,
                    bool is_json);

}  // namespace nestbind::memory
