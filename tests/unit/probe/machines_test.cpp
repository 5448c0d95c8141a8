// SPDX-License-Identifier: BSD-3-Clause
// Measures twelve machines with many random seeds.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "machine/hwloc/read_hwloc.hpp"
#include "made_up.hpp"
#include "probe/probe_found.hpp"

using namespace nestbind::probe;
using nestbind::machine::Hardware;
using nestbind::machine::Object;
using nestbind::machine::Type;

namespace {

using Steps = std::function<int(int from, int to, int nodes)>;
using Firmware = std::function<unsigned(int from, int to, int nodes)>;

struct Model {
  const char* source;  // a file of tests/machines, or a description
  Steps steps;         // the true number of steps between nodes
  Firmware firmware;   // the firmware's distances; null if there are none
  int kinds, nodes;    // the numbers of classes of pairs and of nodes
};

int nothing(int /*from*/, int /*to*/, int /*nodes*/) { return 0; }
int full(int from, int to, int /*nodes*/) { return from == to ? 0 : 1; }
int ring(int from, int to, int nodes) {
  const int away = std::abs(from - to);
  return std::min(away, nodes - away);
}
int halves(int from, int to, int nodes) {  // two boards
  return from == to ? 0 : from / (nodes / 2) == to / (nodes / 2) ? 1 : 2;
}
int square(int from, int to, int /*nodes*/) { return __builtin_popcount(from ^ to); }
unsigned always_20(int from, int to, int /*nodes*/) { return from == to ? 10 : 20; }
unsigned by_ring(int from, int to, int nodes) {
  return 10 + 6 * static_cast<unsigned>(ring(from, to, nodes));
}
unsigned by_halves(int from, int to, int nodes) {
  return 10 + 10 * static_cast<unsigned>(halves(from, to, nodes));
}

const Model kModels[] = {
    {"laptop.xml", nothing, nullptr, 3, 1},
    {"tigerton.xml", nothing, nullptr, 2, 1},
    {"barcelona.xml", square, nullptr, 3, 3},
    {"nehalem-hp.xml", full, always_20, 3, 2},
    {"grouped.xml", ring, by_ring, 3, 3},
    {"numa16.xml", halves, by_halves, 3, 3},
    {"numa32.xml", ring, by_ring, 3, 3},
    {"pack:4 numa:4 core:2 pu:1", halves, by_halves, 3, 3},
    {"pack:2 numa:4 l3:2 core:8 pu:1", halves, by_halves, 4, 3},  // 128 cores
    {"pack:2 l3:8 core:8 pu:1", full, nullptr, 2, 1},             // 128 cores
    {"numa:8 core:4 pu:2", ring, always_20, 6, 5},
    {"numa:8 core:4 pu:1", nothing, by_ring, 1, 1},  // a false table
};

// A step between nodes multiplies a time by this factor.
constexpr double kStep = 1.25;
constexpr double kLocalRead = 90;
constexpr double kRemoteRoundTrip = 130;

Hardware hardware_of(const Model& model) {
  const std::string name = model.source;
  Hardware hardware = nestbind::machine::hwloc::read_hardware(
      name.ends_with(".xml") ? NESTBIND_SOURCE_DIR "/tests/machines/" + name : name);
  const int nodes = static_cast<int>(hardware.numa_processors.size());
  hardware.numa_distance.clear();
  for (int from = 0; from < nodes && model.firmware; ++from) {
    auto& row = hardware.numa_distance.emplace_back();
    for (int to = 0; to < nodes; ++to) {
      row.push_back(model.firmware(from, to, nodes));
    }
  }
  return hardware;
}

int node_of(const Hardware& hardware, int cpu) {
  for (std::size_t row = 0; row < hardware.numa_processors.size(); ++row) {
    for (const int p : hardware.numa_processors[row]) {
      if (hardware.cpus[static_cast<std::size_t>(p)] == cpu) {
        return static_cast<int>(row);
      }
    }
  }
  return 0;
}

int place_of(const Hardware& hardware, int cpu) {
  return static_cast<int>(std::ranges::find(hardware.cpus, cpu) - hardware.cpus.begin());
}

double inside_node(const Hardware& hardware, int a, int b) {
  double ns = 100;
  for (const Object& object : hardware.objects) {
    const bool is_around = object.begin <= std::min(a, b) && std::max(a, b) < object.end;
    if (is_around) {
      ns = object.type == Type::kCore ? 20
           : object.type == Type::kL2 ? 35
           : object.type == Type::kL3 ? 55
                                      : ns;
    }
  }
  return ns;
}

using made_up::Table;

made_up::Truth truth_of(const Model& model, const Hardware& hardware) {
  const int nodes = static_cast<int>(hardware.numa_processors.size());
  const auto round_trip = [&](int a, int b) {
    const int far = model.steps(node_of(hardware, a), node_of(hardware, b), nodes);
    return far > 0 ? kRemoteRoundTrip * std::pow(kStep, far - 1)
                   : inside_node(hardware, place_of(hardware, a), place_of(hardware, b));
  };
  const auto read = [&](int cpu, int node) {
    return kLocalRead * std::pow(kStep, model.steps(node_of(hardware, cpu), node, nodes));
  };
  const auto limit = static_cast<std::size_t>(std::ranges::max(hardware.cpus)) + 1;
  Table trips(limit, std::vector<double>(limit, 0));
  Table reads(limit, std::vector<double>(static_cast<std::size_t>(nodes), 0));
  for (const int a : hardware.cpus) {
    for (const int b : hardware.cpus) {
      trips[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)] = round_trip(a, b);
    }
    for (int node = 0; node < nodes; ++node) {
      reads[static_cast<std::size_t>(a)][static_cast<std::size_t>(node)] = read(a, node);
    }
  }
  return {.round_trip = std::move(trips), .read = std::move(reads)};
}

int rank(const std::set<long>& values, double ns) {
  return static_cast<int>(std::distance(values.begin(), values.find(std::lround(ns * 1000))));
}

// Returns what is wrong with the result, or an empty text.
std::string fault(const Model& model, const made_up::Machine& machine, const Found& found) {
  std::set<long> trips;
  std::set<long> reads;
  for (const KindFound& kind : found.kinds) {
    trips.insert(std::lround(machine.round_trip(kind.pairs[0].pair) * 1000));
  }
  for (const NodeSubject& from : found.nodes) {
    for (const NodeSubject& to : found.nodes) {
      reads.insert(std::lround(machine.read(from.processors[0], to.number) * 1000));
    }
  }
  if (found.kind_classes != model.kinds || found.node_classes != model.nodes) {
    return std::to_string(found.kind_classes) + " and " + std::to_string(found.node_classes) +
           " classes";
  }
  for (const KindFound& kind : found.kinds) {
    if (kind.number != rank(trips, machine.round_trip(kind.pairs[0].pair))) {
      return kind.name + " is of class " + std::to_string(kind.number);
    }
  }
  for (std::size_t i = 0; i < found.nodes.size(); ++i) {
    const int reader = found.nodes[i].processors[0];
    for (std::size_t j = 0; j < found.nodes.size(); ++j) {
      const double ns = machine.read(reader, found.nodes[j].number);
      const double factor = ns / machine.read(reader, found.nodes[i].number);
      if (found.matrix[i][j].number != rank(reads, ns)) {
        return "a node is of class " + std::to_string(found.matrix[i][j].number);
      }
      if (std::abs(found.matrix[i][j].factor / factor - 1) > 0.05) {
        return "factor " + std::to_string(found.matrix[i][j].factor) + " for " +
               std::to_string(factor);
      }
    }
  }
  return "";
}

}  // namespace

TEST_CASE("classes, their order and factors are found on twelve machines") {
  for (const Model& model : kModels) {
    const Hardware hardware = hardware_of(model);
    const made_up::Truth truth = truth_of(model, hardware);
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
      INFO(model.source << ", start " << seed);
      const Survey survey = plan_survey(hardware, {.full = false, .seed = seed});
      made_up::Machine machine(truth, 1000 + seed);
      const Found found = probe(survey, machine, {.seed = seed}, nullptr);
      CHECK(fault(model, machine, found) == "");
      if (hardware.cpus.size() == 128) {
        CHECK(found.seconds <= 10);
      }
    }
  }
}

TEST_CASE("structure is found even if four of five batches are disturbed") {
  const Hardware hardware = hardware_of(kModels[2]);
  const Survey survey = plan_survey(hardware, {});
  made_up::Machine machine(truth_of(kModels[2], hardware), 1,
                           {.jitter = 0.02, .disturbed = 0.6, .how_much = 3});
  const Found found = probe(survey, machine, {}, nullptr);
  CHECK(fault(kModels[2], machine, found) == "");
  CHECK(found.kinds[0].pairs[0].measured.p90 > 2 * found.kinds[0].pairs[0].measured.ns);
}
