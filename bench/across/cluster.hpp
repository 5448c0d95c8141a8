// SPDX-License-Identifier: BSD-3-Clause
// Ranks of a cluster in one process: makes the exchanges of their balancers.
#pragma once

#include <functional>
#include <vector>

#include "balance/across/balancer.hpp"

namespace nestbind::simulation {

// The CPU time of this process: other programs do not disturb it.
double cpu_seconds();

class Cluster {
 public:
  using Balancer = balance::across::Balancer;
  // Rank r is on node r / ranks_of_node. `change` may change the setup of a rank.
  Cluster(int nodes, int ranks_of_node,
          const std::function<void(balance::across::Setup&)>& change = {});
  ~Cluster();
  Cluster(const Cluster&) = delete;
  Cluster& operator=(const Cluster&) = delete;

  int ranks() const { return static_cast<int>(ranks_.size()); }
  int node(int rank) const { return node_[static_cast<std::size_t>(rank)]; }
  Balancer& operator[](int rank) { return *ranks_[static_cast<std::size_t>(rank)]; }

  // A call of all ranks, which have got their loads.
  void balance(double remaining, double now = 0);

  // Of the last call: the CPU time of rank 0, and the bytes that crossed between nodes.
  double root_seconds() const { return root_seconds_; }
  double bytes() const { return bytes_; }
  long reductions() const { return reductions_; }  // of all calls
  long exchanges() const { return exchanges_; }    // of all calls, the reductions excluded

 private:
  std::vector<int> members(int group, int rank) const;
  void exchange(const std::vector<int>& group, std::vector<balance::across::Exchange>& pending);

  int ranks_of_node_;
  std::vector<int> node_;
  std::vector<Balancer*> ranks_;
  double root_seconds_ = 0;
  double bytes_ = 0;
  long reductions_ = 0;
  long exchanges_ = 0;
};

}  // namespace nestbind::simulation
