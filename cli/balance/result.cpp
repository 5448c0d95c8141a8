// SPDX-License-Identifier: BSD-3-Clause
#include "cli/balance/result.hpp"

#include <fmt/core.h>

#include <nlohmann/json.hpp>

namespace nestbind::cli::balance {

namespace {

using nestbind::balance::Worth;

double per_cent(double part, double whole) { return whole > 0 ? 100 * part / whole : 0; }

std::string messages_of(const Worth& before, const Worth& after) {
  return after.messages > 0
             ? fmt::format("messages to other nodes {:.1f} % -> {:.1f} % of {:.6g}\n",
                           per_cent(before.remote_messages, before.messages),
                           per_cent(after.remote_messages, after.messages), after.messages)
             : "";
}

// Why there is nothing to be had, where that is so.
std::string no_gain_of(const Result& result) {
  const Worth& before = result.worth_before;
  const Worth& after = result.worth;
  const bool is_one_object = result.heaviest_object > 0 && after.heaviest <= result.heaviest_object;
  std::string text =
      is_one_object ? "one object alone is as heavy: no placement has a lighter heaviest slot\n"
                    : "";
  if (result.migrations() > 0 && after.heaviest >= before.heaviest &&
      after.remote_messages >= before.remote_messages) {
    text += "nothing is gained by moving\n";
  }
  return text;
}

}  // namespace

int Result::migrations() const {
  int moved = 0;
  for (std::size_t i = 0; i < before.size(); ++i) {
    moved += before[i] != after[i] ? 1 : 0;
  }
  return moved;
}

std::string text_of(const Result& result) {
  const Worth& before = result.worth_before;
  const Worth& after = result.worth;
  std::string text = fmt::format(
      "{}\n{} objects on {} slots, by {}: {} to be moved ({:.1f} %)\n"
      "heaviest slot {:.6g} -> {:.6g}, mean {:.6g}: {:.1f} % above it -> {:.1f} %\n",
      result.summary, result.before.size(), result.slots, result.algorithm, result.migrations(),
      per_cent(result.migrations(), static_cast<double>(result.before.size())), before.heaviest,
      after.heaviest, after.mean, 100 * (before.imbalance() - 1), 100 * (after.imbalance() - 1));
  text += messages_of(before, after) + no_gain_of(result);
  std::string moves;
  for (std::size_t i = 0; i < result.before.size(); ++i) {
    if (result.before[i] != result.after[i]) {
      moves += fmt::format("object {}: slot {} -> {}\n", i, result.before[i], result.after[i]);
    }
  }
  return text + (moves.empty() ? "" : "\n" + moves);
}

std::string json_of(const Result& result) {
  nlohmann::ordered_json object;  // keys in the order in which they are added
  object["machine"] = result.summary;
  object["algorithm"] = result.algorithm;
  object["objects"] = result.before.size();
  object["slots"] = result.slots;
  object["migrations"] = result.migrations();
  object["mean"] = result.worth.mean;
  object["heaviest_before"] = result.worth_before.heaviest;
  object["heaviest"] = result.worth.heaviest;
  object["messages"] = result.worth.messages;
  object["remote_messages_before"] = result.worth_before.remote_messages;
  object["remote_messages"] = result.worth.remote_messages;
  object["slot"] = result.after;
  return object.dump() + "\n";
}

}  // namespace nestbind::cli::balance
