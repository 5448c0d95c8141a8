// SPDX-License-Identifier: BSD-3-Clause
#include "cluster.hpp"

#include <time.h>

#include <algorithm>
#include <stdexcept>
#include <thread>

namespace nestbind::simulation {

using balance::across::RankFault;
using balance::across::Setup;

namespace {

double seconds_of(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

}  // namespace

double cpu_seconds() { return seconds_of(CLOCK_THREAD_CPUTIME_ID); }
double process_seconds() { return seconds_of(CLOCK_PROCESS_CPUTIME_ID); }

// All ranks come. The last one makes the exchange.
int Cluster::meet(void* rank, const Exchange& exchange) {
  Rank& of = *static_cast<Rank*>(rank);
  Cluster& cluster = *of.cluster;
  const double begin = cpu_seconds();
  std::unique_lock lock(cluster.mutex_);
  of.exchange = exchange;
  if (++cluster.waiting_ < cluster.ranks_.size()) {
    cluster.met_.wait(lock, [&cluster, turn = cluster.turn_] { return cluster.turn_ != turn; });
  } else {
    cluster.exchange();
    cluster.waiting_ = 0;
    ++cluster.turn_;
    cluster.met_.notify_all();
  }
  of.elsewhere += cpu_seconds() - begin;
  return 0;
}

Cluster::Cluster(int nodes, int ranks_of_node, const std::function<void(Setup&)>& change) {
  for (int rank = 0; rank < nodes * ranks_of_node; ++rank) {
    node_.push_back(rank / ranks_of_node);
    ranks_.push_back({this, nullptr, {}, 0});
  }
  for (int rank = 0; rank < ranks(); ++rank) {
    Setup setup{};
    setup.rank = rank;
    setup.ranks = ranks();
    setup.node = node_.data();
    setup.comm = &ranks_[static_cast<std::size_t>(rank)];
    setup.now = [](void* comm) { return static_cast<Rank*>(comm)->cluster->now_; };
    setup.reduce = [](void* comm, double* maxima, int maxima_count, double* sums, int sums_count) {
      return meet(comm, {0, maxima, maxima_count, sums, sums_count, {}, {}, {}, {}, {}, {}});
    };
    setup.counts = [](void* comm, const int* send, int* receive) {
      return meet(comm, {1, {}, {}, {}, {}, send, receive, {}, {}, {}, {}});
    };
    setup.data = [](void* comm, const void* send, const int* send_counts, const int* send_offsets,
                    void* receive, const int* receive_counts, const int* receive_offsets) {
      return meet(comm, {2,
                         {},
                         {},
                         {},
                         {},
                         send_counts,
                         const_cast<int*>(receive_counts),
                         static_cast<const char*>(send),
                         send_offsets,
                         static_cast<char*>(receive),
                         receive_offsets});
    };
    if (change) {
      change(setup);
    }
    RankFault fault;
    ranks_[static_cast<std::size_t>(rank)].balancer = Balancer::create(setup, fault);
  }
}

Cluster::~Cluster() {
  for (const Rank& rank : ranks_) {
    Balancer::destroy(rank.balancer);
  }
}

void Cluster::exchange() {
  const Exchange& first = ranks_[0].exchange;
  for (const Rank& rank : ranks_) {
    if (rank.exchange.kind != first.kind) {
      throw std::logic_error("ranks make different exchanges");
    }
  }
  (first.kind == 0 ? reductions_ : exchanges_) += first.kind < 2 ? 1 : 0;
  if (first.kind == 0) {
    for (const Rank& rank : ranks_) {
      for (int i = 0; i < first.maxima_count; ++i) {
        first.maxima[i] = std::max(first.maxima[i], rank.exchange.maxima[i]);
      }
      for (int i = 0; i < first.sums_count; ++i) {
        first.sums[i] += &rank == ranks_.data() ? 0 : rank.exchange.sums[i];
      }
    }
    for (const Rank& rank : ranks_) {
      std::copy_n(first.maxima, first.maxima_count, rank.exchange.maxima);
      std::copy_n(first.sums, first.sums_count, rank.exchange.sums);
    }
    return;
  }
  for (std::size_t from = 0; from < ranks_.size(); ++from) {
    for (std::size_t to = 0; to < ranks_.size(); ++to) {
      const Exchange& send = ranks_[from].exchange;
      const Exchange& receive = ranks_[to].exchange;
      const int count = send.send_counts[to];
      if (first.kind == 1) {
        receive.receive_counts[from] = count;
      } else if (count != receive.receive_counts[from]) {
        throw std::logic_error("a rank expects another count");
      } else if (count > 0) {
        std::copy_n(send.send + send.send_offsets[to], count,
                    receive.receive + receive.receive_offsets[from]);
        bytes_ += node_[from] == node_[to] ? 0 : count;
      }
    }
  }
}

void Cluster::balance(double remaining, double now) {
  now_ = now;
  bytes_ = 0;
  std::vector<std::thread> threads;
  for (Rank& rank : ranks_) {
    threads.emplace_back([&, this] {
      const double begin = cpu_seconds();
      rank.elsewhere = 0;
      if (before_call_) {
        before_call_(static_cast<int>(&rank - ranks_.data()));
      }
      rank.balancer->balance(remaining);
      if (&rank == ranks_.data()) {
        root_seconds_ = cpu_seconds() - begin - rank.elsewhere;
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
}

}  // namespace nestbind::simulation
