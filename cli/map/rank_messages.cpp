// SPDX-License-Identifier: BSD-3-Clause
#include "cli/map/rank_messages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <map>
#include <utility>

#include "cli/common/say.hpp"
#include "mapping/communication.hpp"
#include "mapping/ranks/traffic_text.hpp"
#include "mask/cpu_list.hpp"
#include "network/network.hpp"
#include "support/user_file.hpp"

namespace nestbind::cli {

namespace {

using mapping::Fault;

constexpr int kMostRanks = 1 << 24;
constexpr char kTrafficEnd[] = ".prof";

void say_fault(const std::string& where, std::string_view text, const Fault& fault) {
  say_printable(printable(where) + ", " + mapping::describe(text, fault));
}

bool read_weights(const std::string& text, mapping::Grid& grid) {
  grid.weights.clear();
  mapping::Lines line(text);
  line.next();
  do {
    int weight = 0;
    if (!line.read_number(kMostRanks, weight) || weight < 1) {
      say_fault("--weights", text, line.fault("no weight", "whole numbers such as 1,1,4"));
      return false;
    }
    grid.weights.push_back(weight);
  } while (line.cursor().is_at(',') && ++line.cursor().at > 0);
  if (!line.cursor().at_end() || grid.weights.size() != grid.lengths.size()) {
    say_fault("--weights", text,
              line.fault("not a weight for each dimension",
                         std::to_string(grid.lengths.size()) + " numbers with commas"));
    return false;
  }
  return true;
}

// The rank in "NAME.RANK.prof", or -1.
int rank_in(const std::string& name) {
  const std::string stem = name.substr(0, name.size() - std::strlen(kTrafficEnd));
  const std::size_t dot = stem.rfind('.');
  int rank = 0;
  return dot != std::string::npos && support::read_decimal(stem.data() + dot + 1,
                                                           stem.size() - dot - 1, kMostRanks, rank)
             ? rank
             : -1;
}

}  // namespace

std::optional<mapping::Grid> read_grid(const std::string& text, const std::string& stencil,
                                       const std::string& weights) {
  mapping::Grid grid;
  mapping::Lines line(text);
  line.next();
  long ranks = 1;
  while (true) {
    int length = 0;
    const std::size_t at = line.cursor().at;
    if (!line.read_number(kMostRanks, length) || length < 1 || (ranks *= length) > kMostRanks ||
        grid.lengths.size() == network::kMostDimensions) {
      say_fault("--grid", text,
                line.fault_at(at, ranks > kMostRanks ? "too many ranks" : "no length of a grid",
                              "lengths such as 16x16 or 8x8px8"));
      return std::nullopt;
    }
    const char next = line.cursor().at_end() ? '\0' : text[line.cursor().at];
    const bool is_closed = support::to_lower(next) == 'p';
    grid.lengths.push_back(length);
    grid.is_closed.push_back(is_closed);
    line.cursor().at += is_closed ? 1 : 0;
    if (line.at_end()) {
      break;
    }
    if (support::to_lower(text[line.cursor().at]) != 'x') {
      say_fault("--grid", text, line.fault("not a grid", "x and the next length, or p"));
      return std::nullopt;
    }
    ++line.cursor().at;
  }
  grid.stencil = stencil == "edges"     ? mapping::Stencil::kEdges
                 : stencil == "corners" ? mapping::Stencil::kCorners
                                        : mapping::Stencil::kFaces;
  grid.weights.assign(grid.lengths.size(), 1);
  return weights.empty() || read_weights(weights, grid) ? std::optional(grid) : std::nullopt;
}

bool is_folder(const std::string& name) {
  std::error_code error;
  return std::filesystem::is_directory(name, error);
}

std::optional<RankMessages> read_traffic_folder(const std::string& folder, const std::string& kinds,
                                                int& status) {
  status = kUsage;
  std::map<int, std::string> files;  // of each rank
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename();
    const int rank = name.ends_with(kTrafficEnd) ? rank_in(name) : -1;
    const auto [same, is_new] = files.emplace(rank, name);
    if (rank >= 0 && !is_new) {
      say("{}: both {} and {} are of rank {}; expected the files of one run", folder, same->second,
          name, rank);
      return std::nullopt;
    }
  }
  files.erase(-1);
  if (files.empty()) {
    say("{}: no files of a recorder; expected NAME.RANK.prof", folder);
    return std::nullopt;
  }
  RankMessages all;
  all.is_in_bytes = true;
  int ranks = 0;  // by nestbind's files; Open MPI's do not say it
  double left_out = 0;
  std::string without;
  for (const auto& [rank, name] : files) {
    const std::string path = std::filesystem::path(folder) / name;
    std::string text;
    const int failed = support::read_user_file(path.c_str(), mapping::kLargestCommunication,
                                               support::Streams::kRefused, text);
    if (failed != 0) {
      say("{}: {}", path, support::why_unread(failed));
      status = kFailure;
      return std::nullopt;
    }
    mapping::RankTrafficFile file;
    Fault fault;
    if (!mapping::parse_traffic(text, kinds, file, fault)) {
      say_fault(path, text, fault);
      return std::nullopt;
    }
    if (name != files.begin()->second && file.ranks != ranks) {
      say("{}: {} and {} are of different runs or recorders", folder, files.begin()->second, name);
      return std::nullopt;
    }
    if ((file.ranks != 0 && file.rank != rank) ||
        std::ranges::any_of(file.messages, [&](const auto& one) { return one.from != rank; })) {
      say("{}: the file is of another rank", path);
      return std::nullopt;
    }
    ranks = file.ranks;
    without = file.without.empty() ? without : file.without;
    left_out += file.left_out;
    all.messages.insert(all.messages.end(), file.messages.begin(), file.messages.end());
  }
  all.ranks = ranks != 0 ? ranks : files.rbegin()->first + 1;
  std::vector<int> missing;
  for (int rank = 0; rank < all.ranks; ++rank) {
    if (!files.contains(rank)) {
      missing.push_back(rank);
    }
  }
  for (const auto& [from, to, bytes] : all.messages) {
    if (std::max(from, to) >= all.ranks) {
      say("{}: rank {} sends to rank {}, but there are {} ranks", folder, from, to, all.ranks);
      return std::nullopt;
    }
  }
  if (!missing.empty() || files.rbegin()->first >= all.ranks) {
    say("{}: there are files of {} ranks, but not of {} of {}; did the run end early?", folder,
        files.size(), missing.empty() ? "ranks" : "ranks " + mask::list(missing), all.ranks);
    return std::nullopt;
  }
  all.said = fmt::format("{} files in {}", files.size(), folder);
  all.said += ranks > 0 ? "" : fmt::format(", lines {} of Open MPI's monitoring", kinds);
  all.said += left_out > 0 ? fmt::format("; {:.0f} bytes in other lines left out", left_out) : "";
  all.said += without.empty() ? "" : "; not recorded: " + without;
  status = kSuccess;
  return all;
}

std::optional<std::string> read_pairs_file(const std::string& file, int& status) {
  std::string text;
  const int error = support::read_user_file(file.c_str(), mapping::kLargestCommunication,
                                            support::Streams::kRead, text);
  if (error != 0) {
    say("{}: {}", file, std::strerror(error));
    status = kFailure;
    return std::nullopt;
  }
  return text;
}

int ranks_in(const std::string& pairs) { return mapping::threads_in(pairs, kMostRanks); }

std::optional<RankMessages> parse_pairs(const std::string& file, const std::string& text, int ranks,
                                        int& status) {
  mapping::Threads threads;
  threads.all.emplace_back();
  threads.slot.assign(static_cast<std::size_t>(ranks), 0);
  threads.word = "rank";
  threads.of = "the job";
  mapping::Communication pairs;
  Fault fault;
  if (!mapping::parse_communication(text, threads, pairs, fault)) {
    say_fault(file, text, fault);
    status = kUsage;
    return std::nullopt;
  }
  RankMessages all;
  all.ranks = ranks;
  all.said = file;
  for (const auto& [a, b, weight] : pairs) {
    all.messages.push_back({a, b, weight});
  }
  return all;
}

}  // namespace nestbind::cli
