// SPDX-License-Identifier: BSD-3-Clause
// What moving memory by itself has done, in words and as JSON.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "memory/apply/apply_record.hpp"

namespace nestbind::memory::apply {

// What is told beside the record.
struct Setting {
  std::vector<int> nodes;      // the machine's numbers of the record's nodes
  bool always = false;         // the user said so
  bool has_no_memory = false;  // it was given up for want of memory
  std::uint64_t lost = 0;      // samples for which there was no room
};

// Some lines, each with its end.
std::string in_words(const Record& record, const Setting& setting);

// An object. nestbind-memory(1) describes it.
std::string in_json(const Record& record, const Setting& setting);

}  // namespace nestbind::memory::apply
