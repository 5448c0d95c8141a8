// SPDX-License-Identifier: BSD-3-Clause
// What nestbind balance has found, and its forms.
#pragma once

#include <string>
#include <vector>

#include "balance/measure.hpp"

namespace nestbind::cli::balance {

struct Result {
  std::string summary;  // of the machine
  std::string algorithm;
  int slots = 0;
  std::vector<int> before;  // the slot of each object
  std::vector<int> after;
  nestbind::balance::Worth worth_before;
  nestbind::balance::Worth worth;
  double heaviest_object = 0;

  int migrations() const;
};

// For people: what it is worth, and who belongs elsewhere.
std::string text_of(const Result& result);

// {"machine", "algorithm", "objects", "slots", "migrations", "mean", "heaviest_before", "heaviest",
//  "messages", "remote_messages_before", "remote_messages", "slot": [of each object]}
std::string json_of(const Result& result);

}  // namespace nestbind::cli::balance
