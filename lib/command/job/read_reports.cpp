// SPDX-License-Identifier: BSD-3-Clause
// Reads reports (lib/preload/observe/team_forms.cpp), which may be truncated, old, or malicious.
#include <algorithm>
#include <climits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

#include "job/facts.hpp"
#include "support/decimal.hpp"

namespace nestbind::job {

namespace {

using ReadJson = nlohmann::json;

constexpr int kMostNumber = 1 << 20;
constexpr std::size_t kMostPath = 32;
constexpr std::size_t kMostText = 256;

struct Damaged {
  const char* what;
};

std::string plain(const std::string& text) {
  std::string shown = text.substr(0, kMostText);
  for (char& c : shown) {
    c = c < ' ' || c > '~' ? '?' : c;
  }
  return shown;
}

const ReadJson* find(const ReadJson& object, const char* key) {
  const auto found = object.find(key);
  return found == object.end() || found->is_null() ? nullptr : &*found;
}

int number(const ReadJson& value, const char* what) {
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() > kMostNumber) {
    throw Damaged{what};
  }
  return value.get<int>();
}

int number_or_none(const ReadJson& object, const char* key) {
  const ReadJson* value = find(object, key);
  return value == nullptr ? -1 : number(*value, key);
}

std::vector<int> numbers(const ReadJson& object, const char* key) {
  const ReadJson* value = find(object, key);
  if (value == nullptr || !value->is_array()) {
    throw Damaged{key};
  }
  std::vector<int> all;
  all.reserve(value->size());
  for (const ReadJson& one : *value) {
    all.push_back(number(one, key));
  }
  return all;
}

Cpus cpus_of(const ReadJson& object, const char* key) {
  Cpus cpus = numbers(object, key);
  std::ranges::sort(cpus);
  cpus.erase(std::ranges::unique(cpus).begin(), cpus.end());
  return cpus;
}

std::string text_of(const ReadJson& object, const char* key) {
  const ReadJson* value = find(object, key);
  if (value == nullptr || !value->is_string()) {
    throw Damaged{key};
  }
  return plain(value->get<std::string>());
}

std::string rank_of(const ReadJson& object) {
  const ReadJson* value = find(object, "rank");
  return value == nullptr     ? ""
         : value->is_string() ? text_of(object, "rank")
                              : std::to_string(number(*value, "rank"));
}

void read_node(const ReadJson& object, Rank& rank) {
  const ReadJson* node = find(object, "node");
  if (node == nullptr) {
    return;
  }
  if (!node->is_object()) {
    throw Damaged{"node"};
  }
  if (find(*node, "name") != nullptr) {
    rank.node = text_of(*node, "name");
  }
  if (find(*node, "allowed") != nullptr) {
    rank.allowed = cpus_of(*node, "allowed");
  }
  const ReadJson* cores = find(*node, "cores");
  if (cores == nullptr) {
    return;
  }
  if (!cores->is_array()) {
    throw Damaged{"cores"};
  }
  for (const ReadJson& core : *cores) {
    if (!core.is_object()) {
      throw Damaged{"cores"};
    }
    rank.cores.push_back({.core = number_or_none(core, "core"),
                          .package = number_or_none(core, "package"),
                          .numa = number_or_none(core, "numa"),
                          .cpus = cpus_of(core, "cpus")});
  }
}

std::vector<std::string> devices_in(const ReadJson& object) {
  std::vector<std::string> names;
  const ReadJson* const devices = find(object, "devices");
  const ReadJson* const given = devices == nullptr ? nullptr : find(*devices, "given");
  if (given == nullptr) {
    return names;
  }
  if (!given->is_array()) {
    throw Damaged{"devices"};
  }
  for (const ReadJson& name : *given) {
    names.push_back(name.is_string() ? plain(name.get<std::string>()) : "?");
  }
  return names;
}

std::optional<Part> read_part(const ReadJson& object) {
  const ReadJson* part = find(object, "part");
  if (part == nullptr) {
    return std::nullopt;
  }
  if (!part->is_object()) {
    throw Damaged{"part"};
  }
  return Part{number_or_none(*part, "local"), std::max(number_or_none(*part, "of"), 0),
              text_of(*part, "by"), text_of(*part, "kind"), text_of(*part, "why")};
}

class Reader {
 public:
  explicit Reader(const std::string& file) : file_(file) {}

  void read(const std::string& line) {
    const ReadJson object = ReadJson::parse(line, nullptr, false);
    if (!object.is_object()) {
      throw Damaged{""};
    }
    if (object.contains("threads")) {
      read_team(object);
    }
  }

  std::vector<Rank> take() {
    for (std::size_t i = 0; i < ranks_.size(); ++i) {
      for (const auto& [path, places] : members_[i]) {
        Path deeper = path;
        deeper.push_back(0);
        for (const auto& [cpus, is_bound] : places) {
          if (!members_[i].contains(deeper)) {
            ranks_[i].threads.push_back({path, cpus, is_bound});
          }
        }
      }
    }
    return std::move(ranks_);
  }

 private:
  using Members = std::map<Path, std::map<Cpus, bool>>;

  std::size_t index_of(const ReadJson& object) {
    const std::string host = text_of(object, "host");
    const ReadJson* process = find(object, "process");
    if (process == nullptr || !process->is_number_unsigned()) {
      throw Damaged{"process"};
    }
    const auto process_number = static_cast<long>(process->get<std::uint32_t>());
    const std::string rank = rank_of(object);
    const auto [found, is_new] = index_.try_emplace({host, process_number, rank}, ranks_.size());
    if (!is_new) {
      return found->second;
    }
    Rank& added = ranks_.emplace_back();
    added.file = file_;
    added.host = added.node = host;
    added.process = process_number;
    added.rank = rank;
    members_.emplace_back();
    return ranks_.size() - 1;
  }

  // Reads the whole team first, so that nothing of a damaged team is kept.
  void read_team(const ReadJson& object) {
    const ReadJson& threads = object["threads"];
    if (!threads.is_array() || threads.empty()) {
      throw Damaged{"threads"};
    }
    Team team{text_of(object, "spec"), {}, static_cast<int>(threads.size())};
    const int root = number_or_none(object, "root");  // only if root threads divide the machine
    std::vector<Thread> read;
    std::vector<Core> seen;
    for (const ReadJson& thread : threads) {
      read.push_back(thread_of(thread));
      if (root >= 0) {
        read.back().path.insert(read.back().path.begin(), root);
      }
      const Core core{number_or_none(thread, "core"), number_or_none(thread, "package"),
                      number_or_none(thread, "numa"), read.back().cpus};
      if (core.core >= 0 && !core.cpus.empty()) {
        seen.push_back(core);
      }
    }
    team.primary.assign(read[0].path.begin(), read[0].path.end() - 1);
    Rank with_node;
    read_node(object, with_node);
    std::optional<Part> part = read_part(object);
    const std::size_t index = index_of(object);
    Rank& rank = ranks_[index];
    rank.teams.push_back(std::move(team));
    rank.seen.insert(rank.seen.end(), seen.begin(), seen.end());
    for (const Thread& thread : read) {
      members_[index][thread.path][thread.cpus] = thread.is_bound;
    }
    if (object.contains("node")) {
      rank.node = with_node.node.empty() ? rank.node : with_node.node;
      rank.allowed = std::move(with_node.allowed);
      rank.cores = std::move(with_node.cores);
    }
    rank.part = std::move(part);
    rank.devices = devices_in(object);
  }

  static Thread thread_of(const ReadJson& object) {
    if (!object.is_object()) {
      throw Damaged{"threads"};
    }
    Thread thread{.path = numbers(object, "path"), .cpus = cpus_of(object, "cpus")};
    if (thread.path.empty() || thread.path.size() > kMostPath) {
      throw Damaged{"path"};
    }
    const ReadJson* bound = find(object, "bound");
    thread.is_bound = bound == nullptr || !bound->is_boolean() || bound->get<bool>();
    return thread;
  }

  const std::string& file_;
  std::vector<Rank> ranks_;
  std::vector<Members> members_;
  std::map<std::tuple<std::string, long, std::string>, std::size_t> index_;
};

}  // namespace

void read_report(const std::string& text, const std::string& file, Job& job) {
  Reader reader(file);
  std::string fault;
  int line_number = 0;
  std::string_view left = text;
  while (!left.empty()) {
    const std::size_t end = std::min(left.find('\n'), left.size());
    const std::string line(left.substr(0, end));
    left.remove_prefix(std::min(end + 1, left.size()));
    ++line_number;
    try {
      if (!line.empty()) {
        reader.read(line);
      }
    } catch (const Damaged& damaged) {
      if (line_number == 1 && line.starts_with("nestbind: process ")) {
        fault = "this report is text; a report in JSON is needed (--report=json:FILE)";
      }
      if (fault.empty()) {
        fault = "line " + std::to_string(line_number) + ": ";
        fault += *damaged.what == '\0'
                     ? "it is incomplete, or no object of JSON"
                     : "\"" + std::string(damaged.what) + "\" is not valid in a report";
      }
    }
  }
  std::vector<Rank> ranks = reader.take();
  fault = ranks.empty() && fault.empty() ? "it has no team" : fault;
  if (!fault.empty()) {
    job.bad.push_back({file, fault});
  }
  std::ranges::move(ranks, std::back_inserter(job.ranks));
}

int number_of(const Rank& rank) {
  int number = -1;
  support::read_decimal(rank.rank.data(), rank.rank.size(), INT_MAX, number);
  return number;
}

std::string name_of(const Rank& rank) {
  return rank.rank.empty() ? "p" + std::to_string(rank.process) : rank.rank;
}

void sort_ranks(Job& job) {
  std::ranges::sort(job.ranks, {}, [](const Rank& rank) {
    const int number = number_of(rank);
    return std::tuple(number < 0, number, rank.rank, rank.node, rank.process);
  });
}

}  // namespace nestbind::job
