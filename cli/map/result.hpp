// SPDX-License-Identifier: BSD-3-Clause
// What nestbind map has found, and its forms.
#pragma once

#include <string>

#include "mapping/map.hpp"

namespace nestbind::cli::map {

struct Result {
  std::string spec;     // canonical
  std::string summary;  // of the machine
  int threads = 0;
  std::size_t pairs = 0;  // of threads that talk to each other
  double weight = 0;      // of them all
  bool has_scotch = false;
  mapping::Mapping mapping;
};

// For people: the costs, and the order as the lines of its file.
std::string text_of(const Result& result);

// {"spec", "machine", "threads", "pairs", "weight", "cost_before", "cost", "method", "scotch",
//  "order": [{"master", "seats"}]}
std::string json_of(const Result& result);

// What --output writes.
std::string file_of(const Result& result);

}  // namespace nestbind::cli::map
