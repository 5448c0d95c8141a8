// SPDX-License-Identifier: BSD-3-Clause
// Balances objects between simulated nodes, and prints what the first stage takes and moves.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>
#include <vector>

#include "balance/assign.hpp"
#include "cluster.hpp"
#ifdef NESTBIND_HAS_SCOTCH
#include "repartition.hpp"
#endif
#ifdef NESTBIND_HAS_ZOLTAN
#include "zoltan.hpp"
#endif

namespace {

using nestbind::balance::across::Id;
using nestbind::simulation::Cluster;

struct Case {
  int objects;
  int nodes;
  std::vector<double> load;
  std::vector<int> start;
};

// Equal counts, log-normal loads. In a hot case the objects of an eighth of the nodes are four
// times as heavy.
Case make(int objects, int nodes, double sigma, unsigned seed, bool is_hot) {
  Case made{objects, nodes, {}, {}};
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal(0, sigma);
  for (int i = 0; i < objects; ++i) {
    const bool is_heavy = is_hot && i >= objects / 2 && i < objects / 2 + objects / 8;
    made.load.push_back((is_heavy ? 4e-3 : 1e-3) * std::exp(normal(random)));
    made.start.push_back(static_cast<int>(static_cast<long>(i) * nodes / objects));
  }
  return made;
}

void print(const char* name, const Case& of, const std::vector<int>& place, double seconds,
           double bytes) {
  std::vector<double> before(static_cast<std::size_t>(of.nodes));
  std::vector<double> after(before);
  double all = 0;
  double heaviest = 0;
  int moved = 0;
  for (std::size_t i = 0; i < of.load.size(); ++i) {
    before[static_cast<std::size_t>(of.start[i])] += of.load[i];
    after[static_cast<std::size_t>(place[i])] += of.load[i];
    all += of.load[i];
    heaviest = std::max(heaviest, of.load[i]);
    moved += of.start[i] == place[i] ? 0 : 1;
  }
  const double mean = all / of.nodes;
  std::printf("%s,%d,%d,%.4f,%.4f,%.4f,%.4f,%.3f,%.0f\n", name, of.objects, of.nodes,
              *std::max_element(before.begin(), before.end()) / mean,
              *std::max_element(after.begin(), after.end()) / mean, heaviest / mean,
              static_cast<double>(moved) / of.objects, seconds, bytes);
  std::fflush(stdout);
}

void across(const Case& of, int ring) {
  Cluster cluster(of.nodes, 1);
  std::vector<int> place = of.start;
  constexpr double kBytes = 1e4;
  const auto count = static_cast<int>(of.load.size());
  for (int step = 0; step < 3; ++step) {
    for (int i = 0; i < count; ++i) {
      auto& rank = cluster[place[static_cast<std::size_t>(i)]];
      rank.load(i, of.load[static_cast<std::size_t>(i)], kBytes);
      for (int k = 1; k <= ring && step == 2; ++k) {
        rank.messages(i, (i + k) % count, 1);
        rank.messages(i, (i + count - k) % count, 1);
      }
    }
    cluster.balance(1e6, step);
  }
  for (int rank = 0; rank < cluster.ranks(); ++rank) {
    for (const auto& move : cluster[rank].moves()) {
      place[static_cast<std::size_t>(move.id)] = move.to;
    }
  }
  print(ring > 0 ? "across, ring" : "across", of, place, cluster.root_seconds(), cluster.bytes());
}

void alone(const char* name, nestbind::balance::Algorithm algorithm, const Case& of) {
  namespace balance = nestbind::balance;
  std::vector<int> node;
  for (int i = 0; i < of.nodes; ++i) {
    node.push_back(i);
  }
  const std::vector<double> factor(static_cast<std::size_t>(of.nodes) * node.size(), 1.0);
  const balance::Machine machine{of.nodes, of.nodes, node.data(), factor.data()};
  balance::Objects objects;
  objects.count = of.objects;
  objects.load = of.load.data();
  std::vector<double> memory(balance::work_bytes(of.objects, machine) / sizeof(double) + 1);
  std::vector<int> place = of.start;
  balance::Rules rules;
  rules.tolerance = 0.02;
  const double begin = nestbind::simulation::cpu_seconds();
  balance::assign(algorithm, objects, machine, rules,
                  balance::work_in(memory.data(), of.objects, machine), place.data());
  const double seconds = nestbind::simulation::cpu_seconds() - begin;
  // All ids and loads go to the root, and all moves come back.
  print(name, of, place, seconds, 0);
}

// `others` changes the places, and returns false if it has failed.
template <typename Others>
void by_others(const char* name, const Case& of, Others others) {
  std::vector<int> place = of.start;
  const double begin = nestbind::simulation::process_seconds();
  if (others(of.load, 2, of.nodes, place)) {
    print(name, of, place, nestbind::simulation::process_seconds() - begin, 0);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const int most = argc > 1 ? std::atoi(argv[1]) : 1000000;
  const bool is_hot = argc > 2 && std::strcmp(argv[2], "hot") == 0;
  std::printf("method,objects,nodes,before,after,heaviest object,moved,seconds,bytes\n");
  for (int objects = 1000; objects <= most; objects *= 10) {
    for (const int nodes : {4, 32, 256, 1024}) {
      const Case of = make(objects, nodes, 0.5, 7, is_hot);
      across(of, 0);
      across(of, 2);
      alone("numa", nestbind::balance::Algorithm::kNuma, of);
      alone("greedy", nestbind::balance::Algorithm::kGreedy, of);
      alone("refine", nestbind::balance::Algorithm::kRefine, of);
#ifdef NESTBIND_HAS_SCOTCH
      by_others("SCOTCH, ring", of, repartition);
#endif
#ifdef NESTBIND_HAS_ZOLTAN
      by_others("Zoltan, ring", of, repartition_by_zoltan);
#endif
    }
  }
}
