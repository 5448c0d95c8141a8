// SPDX-License-Identifier: BSD-3-Clause
#include "job/facts.hpp"

#include <algorithm>
#include <climits>
#include <tuple>

#include "support/decimal.hpp"

namespace nestbind::job {

int number_of(const Rank& rank) {
  int number = -1;
  support::read_decimal(rank.rank.data(), rank.rank.size(), INT_MAX, number);
  return number;
}

std::string name_of(const Rank& rank) {
  return rank.rank.empty() ? "p" + std::to_string(rank.process) : rank.rank;
}

void sort_ranks(Job& job) {
  const auto order = [](const Rank& rank) {
    const int number = number_of(rank);
    return std::tuple(number < 0, number, std::cref(rank.rank), std::cref(rank.node), rank.process);
  };
  std::ranges::sort(job.ranks, [&](const Rank& a, const Rank& b) {
    const auto [a_none, a_number, a_rank, a_node, a_process] = order(a);
    const auto [b_none, b_number, b_rank, b_node, b_process] = order(b);
    return std::tie(a_none, a_number, a_rank.get(), a_node.get(), a_process) <
           std::tie(b_none, b_number, b_rank.get(), b_node.get(), b_process);
  });
}

}  // namespace nestbind::job
