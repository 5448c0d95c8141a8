// SPDX-License-Identifier: BSD-3-Clause
#include "probe/probe_found.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace nestbind::probe {

namespace {

constexpr int kLine = 64;
constexpr int kBlock = 4096;  // bytes that a step of Work::kStream reads
constexpr int kSizes[] = {kLine, 4096, 1 << 20};
constexpr std::size_t kReaders = 4;
constexpr std::size_t kAlone = 3;

// Results are read in the order of the requests.
class Subjects {
 public:
  std::size_t add(Subject subject) {
    all_.push_back(std::move(subject));
    return all_.size() - 1;
  }
  std::size_t add_pairs(std::vector<Pair> pairs, int bytes) {
    return add({.work = Work::kRoundTrips,
                .pairs = std::move(pairs),
                .processors = {},
                .node = 0,
                .bytes = bytes});
  }
  const std::vector<Subject>& all() const { return all_; }

 private:
  std::vector<Subject> all_;
};

struct NodeNumbers {
  std::vector<std::size_t> reads;
  std::size_t stream = 0;
  double readers = 0;
};

struct ExchangeNumbers {
  std::size_t together = 0;
  std::vector<std::size_t> alone;
};

struct Numbers {
  std::vector<std::vector<std::size_t>> kinds;
  std::vector<std::vector<NodeNumbers>> nodes;
  std::vector<std::vector<ExchangeNumbers>> patterns;
};

std::vector<int> spread(const std::vector<int>& processors, std::size_t wanted) {
  const std::size_t count = std::min(processors.size(), wanted);
  std::vector<int> chosen;
  chosen.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    chosen.push_back(processors[count == 1 ? 0 : i * (processors.size() - 1) / (count - 1)]);
  }
  return chosen;
}

NodeNumbers number_node(Subjects& subjects, const NodeSubject& from, const NodeSubject& to) {
  NodeNumbers numbers;
  std::vector<int> readers = spread(from.processors, kReaders);
  // A node may have few processors. Some processors then read more than once.
  for (std::size_t i = 0; readers.size() < kReaders; ++i) {
    readers.push_back(readers[i]);
  }
  for (const int reader : readers) {
    numbers.reads.push_back(subjects.add({.work = Work::kReads,
                                          .pairs = {},
                                          .processors = {reader},
                                          .node = to.number,
                                          .bytes = kLine}));
  }
  numbers.readers = static_cast<double>(from.processors.size());
  numbers.stream = subjects.add({.work = Work::kStream,
                                 .pairs = {},
                                 .processors = from.processors,
                                 .node = to.number,
                                 .bytes = kBlock});
  return numbers;
}

ExchangeNumbers number_exchange(Subjects& subjects, const Pattern& pattern, int bytes) {
  ExchangeNumbers numbers;
  numbers.together = subjects.add_pairs(pattern.pairs, bytes);
  for (std::size_t i = 0; i < std::min(kAlone, pattern.pairs.size()); ++i) {
    numbers.alone.push_back(subjects.add_pairs({pattern.pairs[i]}, bytes));
  }
  return numbers;
}

Numbers number(const Survey& survey, Subjects& subjects) {
  Numbers numbers;
  for (const Kind& kind : survey.kinds) {
    auto& pairs = numbers.kinds.emplace_back();
    for (const Pair& pair : kind.pairs) {
      pairs.push_back(subjects.add_pairs({pair}, kLine));
    }
  }
  for (const NodeSubject& from : survey.nodes) {
    auto& row = numbers.nodes.emplace_back();
    for (const NodeSubject& to : survey.nodes) {
      row.push_back(number_node(subjects, from, to));
    }
  }
  for (const Pattern& pattern : survey.patterns) {
    auto& exchanges = numbers.patterns.emplace_back();
    for (const int bytes : kSizes) {
      exchanges.push_back(number_exchange(subjects, pattern, bytes));
    }
  }
  return numbers;
}

double geometric_mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) {
    sum += std::log(value);
  }
  return std::exp(sum / static_cast<double>(values.size()));
}

std::vector<double> values_of(const std::vector<std::size_t>& numbers,
                              const std::vector<Measured>& measured) {
  std::vector<double> values;
  values.reserve(numbers.size());
  for (const std::size_t number : numbers) {
    values.push_back(measured[number].ns);
  }
  return values;
}

bool are_reliable(const std::vector<std::size_t>& numbers, const std::vector<Measured>& measured) {
  return std::ranges::all_of(numbers,
                             [&](std::size_t number) { return measured[number].is_reliable; });
}

void fill_kinds(Found& found, const Survey& survey, const Numbers& numbers,
                const std::vector<Measured>& measured) {
  std::vector<std::vector<double>> groups;
  for (std::size_t i = 0; i < survey.kinds.size(); ++i) {
    KindFound kind{.name = survey.kinds[i].name, .all = survey.kinds[i].all, .pairs = {}};
    for (std::size_t j = 0; j < survey.kinds[i].pairs.size(); ++j) {
      kind.pairs.push_back({survey.kinds[i].pairs[j], measured[numbers.kinds[i][j]]});
    }
    groups.push_back(values_of(numbers.kinds[i], measured));
    kind.ns = geometric_mean(groups.back());
    found.kinds.push_back(std::move(kind));
  }
  const Classes classes = find_classes(groups);
  found.kind_classes = classes.count;
  for (std::size_t i = 0; i < found.kinds.size(); ++i) {
    found.kinds[i].number = classes.of_group[i];
  }
}

void fill_nodes(Found& found, const Survey& survey, const Numbers& numbers,
                const std::vector<Measured>& measured) {
  found.nodes = survey.nodes;
  std::vector<std::vector<double>> groups;
  for (const auto& row : numbers.nodes) {
    auto& here = found.matrix.emplace_back();
    for (const NodeNumbers& node : row) {
      groups.push_back(values_of(node.reads, measured));
      here.push_back({.ns = geometric_mean(groups.back()),
                      .gigabytes = node.readers * kBlock / measured[node.stream].ns,
                      .is_read_reliable = are_reliable(node.reads, measured),
                      .is_bandwidth_reliable = measured[node.stream].is_reliable});
    }
  }
  const Classes classes = find_classes(groups);
  found.node_classes = classes.count;
  for (std::size_t i = 0; i < found.matrix.size(); ++i) {
    for (std::size_t j = 0; j < found.matrix.size(); ++j) {
      found.matrix[i][j].factor = found.matrix[i][j].ns / found.matrix[i][i].ns;
      found.matrix[i][j].number = classes.of_group[i * found.matrix.size() + j];
    }
  }
}

void fill_patterns(Found& found, const Survey& survey, const Numbers& numbers,
                   const std::vector<Measured>& measured) {
  for (std::size_t i = 0; i < survey.patterns.size(); ++i) {
    const auto pairs = survey.patterns[i].pairs.size();
    PatternFound pattern{
        .name = survey.patterns[i].name, .pairs = static_cast<int>(pairs), .exchanges = {}};
    for (std::size_t size = 0; size < std::size(kSizes); ++size) {
      const ExchangeNumbers& exchange = numbers.patterns[i][size];
      const Measured& together = measured[exchange.together];
      constexpr double kWays = 2;
      pattern.exchanges.push_back(
          {.bytes = kSizes[size],
           .alone = geometric_mean(values_of(exchange.alone, measured)),
           .together = together.ns,
           .slowest = together.slowest,
           .gigabytes = kWays * kSizes[size] * static_cast<double>(pairs) / together.ns,
           .is_reliable = together.is_reliable && are_reliable(exchange.alone, measured)});
    }
    found.patterns.push_back(std::move(pattern));
  }
}

}  // namespace

bool Found::has_distances() const {
  return node_classes > 1 && std::ranges::all_of(matrix, [](const auto& row) {
           return std::ranges::all_of(row, &NodeFound::is_reliable);
         });
}

std::vector<std::vector<double>> distances_of(const Found& found) {
  std::vector<std::vector<double>> of_class(static_cast<std::size_t>(found.node_classes));
  for (const auto& row : found.matrix) {
    for (const NodeFound& node : row) {
      of_class[static_cast<std::size_t>(node.number)].push_back(node.ns);
    }
  }
  std::vector<std::vector<double>> distances;
  for (const auto& row : found.matrix) {
    auto& here = distances.emplace_back();
    for (const NodeFound& node : row) {
      here.push_back(geometric_mean(of_class[static_cast<std::size_t>(node.number)]));
    }
  }
  return distances;
}

Found probe(const Survey& survey, Instrument& instrument, const Rules& rules,
            const Progress& progress) {
  Subjects subjects;
  const Numbers numbers = number(survey, subjects);
  const double began = instrument.now();
  const std::vector<Measured> measured = measure(subjects.all(), instrument, rules, progress);

  Found found;
  found.cores = survey.cores;
  found.kind_of = survey.kind_of;
  fill_kinds(found, survey, numbers, measured);
  fill_nodes(found, survey, numbers, measured);
  fill_patterns(found, survey, numbers, measured);
  found.seconds = instrument.now() - began;
  found.numbers = static_cast<int>(measured.size());
  for (const Measured& one : measured) {
    found.unreliable += one.is_reliable ? 0 : 1;
    found.least_batches =
        found.least_batches == 0 ? one.batches : std::min(found.least_batches, one.batches);
    found.most_batches = std::max(found.most_batches, one.batches);
  }
  return found;
}

}  // namespace nestbind::probe
