// SPDX-License-Identifier: BSD-3-Clause
// Descriptions of ranks in words.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "job/facts.hpp"

namespace nestbind::job {

// Distinct names in the order of their first appearance. A job may have 100,000 names.
class Names {
 public:
  void add(const std::string& name) {
    if (seen_.insert(name).second) {
      all_.push_back(name);
    }
  }
  const std::vector<std::string>& all() const { return all_; }

 private:
  std::vector<std::string> all_;
  std::set<std::string> seen_;
};

// "1 thread", "4 threads".
std::string counted(std::size_t count, const char* what);

// "rank 3", "ranks 0-3,7 and p4711".
std::string in_words(const std::vector<std::string>& ranks);

// Returns the processors of all threads.
Cpus cpus_of(const Rank& rank);

// Returns the team sizes of a rank, level by level: "4x2", or "4x1/2" for inner teams of two sizes.
std::string sizes_of(const Rank& rank);

// Returns the rank's specifications, in the order of their first use: "4,scatter then 2,compact".
std::string specs_of(const Rank& rank);

}  // namespace nestbind::job
