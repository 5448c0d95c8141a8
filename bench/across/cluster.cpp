// SPDX-License-Identifier: BSD-3-Clause
#include "cluster.hpp"

#include <time.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace nestbind::simulation {

using balance::across::Exchange;
using balance::across::kMaxima;
using balance::across::kNumbers;
using balance::across::Setup;

double cpu_seconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

Cluster::Cluster(int nodes, int ranks_of_node, const std::function<void(Setup&)>& change)
    : ranks_of_node_(ranks_of_node) {
  for (int rank = 0; rank < nodes * ranks_of_node; ++rank) {
    node_.push_back(rank / ranks_of_node);
  }
  for (int rank = 0; rank < nodes * ranks_of_node; ++rank) {
    Setup setup{};
    setup.rank = rank;
    setup.ranks = nodes * ranks_of_node;
    setup.node = node_.data();
    if (change) {
      change(setup);
    }
    ranks_.push_back(Balancer::create(setup));
  }
}

Cluster::~Cluster() {
  for (Balancer* rank : ranks_) {
    Balancer::destroy(rank);
  }
}

std::vector<int> Cluster::members(int group, int rank) const {
  std::vector<int> result;
  for (int other = 0; other < ranks(); ++other) {
    if (group == NESTBIND_ACROSS_ALL ||
        (group == NESTBIND_ACROSS_NODE && node(other) == node(rank)) ||
        (group == NESTBIND_ACROSS_LEADERS && other % ranks_of_node_ == 0)) {
      result.push_back(other);
    }
  }
  return result;
}

void Cluster::exchange(const std::vector<int>& group, std::vector<Exchange>& pending) {
  const auto of = [&](int rank) -> Exchange& { return pending[static_cast<std::size_t>(rank)]; };
  const int kind = of(group[0]).kind;
  if (kind == NESTBIND_ACROSS_REDUCE) {
    ++reductions_;
    double sum[kNumbers];
    std::copy(of(group[0]).numbers, of(group[0]).numbers + kNumbers, sum);
    for (std::size_t i = 1; i < group.size(); ++i) {
      for (int k = 0; k < kNumbers; ++k) {
        const double number = of(group[i]).numbers[k];
        sum[k] = k < kMaxima ? std::max(sum[k], number) : sum[k] + number;
      }
    }
    for (const int rank : group) {
      std::copy(sum, sum + kNumbers, of(rank).numbers);
    }
    return;
  }
  ++exchanges_;
  for (std::size_t from = 0; from < group.size(); ++from) {
    for (std::size_t to = 0; to < group.size(); ++to) {
      const Exchange& send = of(group[from]);
      Exchange& receive = of(group[to]);
      const int count = send.send_counts[to];
      if (kind == NESTBIND_ACROSS_COUNTS) {
        receive.receive_counts[from] = count;
        continue;
      }
      if (count != receive.receive_counts[from]) {
        throw std::logic_error("a rank expects another count");
      }
      if (count > 0) {
        std::memcpy(static_cast<char*>(receive.receive) + receive.receive_offsets[from],
                    static_cast<const char*>(send.send) + send.send_offsets[to],
                    static_cast<std::size_t>(count));
      }
      bytes_ += node(group[from]) == node(group[to]) ? 0 : count;
    }
  }
}

void Cluster::balance(double remaining, double now) {
  root_seconds_ = 0;
  bytes_ = 0;
  const auto count = static_cast<std::size_t>(ranks());
  std::vector<Exchange> pending(count);
  std::vector<char> is_pending(count, 0);
  std::vector<char> is_done(count, 0);
  for (Balancer* rank : ranks_) {
    rank->begin(remaining);
  }
  while (true) {
    for (std::size_t rank = 0; rank < count; ++rank) {
      if (is_pending[rank] == 0 && is_done[rank] == 0) {
        const double begin = rank == 0 ? cpu_seconds() : 0;
        is_pending[rank] = ranks_[rank]->next(now, pending[rank]) ? 1 : 0;
        is_done[rank] = is_pending[rank] == 0 ? 1 : 0;
        if (rank == 0) {
          root_seconds_ += cpu_seconds() - begin;
        }
      }
    }
    bool has_exchanged = false;
    for (std::size_t rank = 0; rank < count; ++rank) {
      if (is_pending[rank] == 0) {
        continue;
      }
      // Only the first rank of a group looks at the others.
      const std::vector<int> group = members(pending[rank].group, static_cast<int>(rank));
      if (group[0] != static_cast<int>(rank) ||
          !std::all_of(group.begin(), group.end(), [&](int other) {
            const auto index = static_cast<std::size_t>(other);
            return is_pending[index] != 0 && pending[index].group == pending[rank].group &&
                   pending[index].kind == pending[rank].kind;
          })) {
        continue;
      }
      exchange(group, pending);
      has_exchanged = true;
      for (const int other : group) {
        is_pending[static_cast<std::size_t>(other)] = 0;
      }
    }
    if (!has_exchanged) {
      break;
    }
  }
  if (std::any_of(is_done.begin(), is_done.end(), [](char done) { return done == 0; })) {
    throw std::logic_error("ranks wait for each other");
  }
}

}  // namespace nestbind::simulation
