// SPDX-License-Identifier: BSD-3-Clause
// Ranks of a cluster in one process: each is a thread during a call, and they exchange data here.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <utility>
#include <vector>

#include "balance/across/balancer.hpp"

namespace nestbind::simulation {

// The CPU time of this thread, and of the process: other programs do not disturb it.
double cpu_seconds();
double process_seconds();

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
  Balancer& operator[](int rank) { return *ranks_[static_cast<std::size_t>(rank)].balancer; }

  // A call of all ranks, which have got their loads.
  void balance(double remaining, double now = 0);

  // `work` runs in the thread of each rank before a call.
  void before_call(std::function<void(int rank)> work) { before_call_ = std::move(work); }

  // Of the last call: the CPU time of rank 0, and the bytes that crossed between nodes.
  double root_seconds() const { return root_seconds_; }
  double bytes() const { return bytes_; }
  long reductions() const { return reductions_; }  // of all calls
  long exchanges() const { return exchanges_; }    // of all calls, the reductions excluded

 private:
  // What a rank gives to an exchange. `kind`: 0 a reduction, 1 counts, 2 data.
  struct Exchange {
    int kind;
    double* maxima;
    int maxima_count;
    double* sums;
    int sums_count;
    const int* send_counts;
    int* receive_counts;
    const char* send;
    const int* send_offsets;
    char* receive;
    const int* receive_offsets;
  };
  struct Rank {
    Cluster* cluster;
    Balancer* balancer;
    Exchange exchange;
    double elsewhere;  // the CPU time of exchanges
  };
  static int meet(void* rank, const Exchange& exchange);
  void exchange();

  std::function<void(int rank)> before_call_;
  std::vector<int> node_;
  std::vector<Rank> ranks_;
  std::mutex mutex_;
  std::condition_variable met_;
  std::size_t waiting_ = 0;
  long turn_ = 0;
  double now_ = 0;
  double root_seconds_ = 0;
  double bytes_ = 0;
  long reductions_ = 0;
  long exchanges_ = 0;
};

}  // namespace nestbind::simulation
