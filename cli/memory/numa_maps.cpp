// SPDX-License-Identifier: BSD-3-Clause
// Of a process in which nothing watches: where its memory is, by the kernel.
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/memory/memory_parts.hpp"
#include "support/decimal.hpp"

namespace nestbind::cli::memory {

namespace {

constexpr char kUnwatched[] = "where its memory is; who uses it is told with --seconds N";

std::uint64_t number_in(std::string_view text) {
  const char* at = text.data();
  return support::take_decimal(at, at + text.size(), support::kAnyDecimal);
}

}  // namespace

std::string size_in_words(std::uint64_t bytes) {
  constexpr double kMebi = 1 << 20;
  constexpr double kGibi = 1 << 30;
  const auto size = static_cast<double>(bytes);
  return size >= kGibi ? fmt::format("{:.1f} GiB", size / kGibi)
                       : fmt::format("{:.1f} MiB", size / kMebi);
}

namespace {

// Of /proc/PID/numa_maps; nothing where a line is none. Files that are only read are left out.
std::optional<Mapped> parse_mapped(std::string_view line) {
  // "7f32c9a00000 default anon=4096 dirty=4096 N0=3000 N1=1096 kernelpagesize_kB=4"
  constexpr std::size_t kMostNodes = 1024;
  std::istringstream words{std::string(line)};
  Mapped mapped;
  std::string policy;
  if (!(words >> std::hex >> mapped.begin >> policy)) {
    return std::nullopt;
  }
  std::uint64_t page = 4;
  bool is_own = false;
  for (std::string word; words >> word;) {
    const std::string_view text(word);
    const std::size_t equals = text.find('=');
    const std::string_view value = equals == std::string_view::npos ? "" : text.substr(equals + 1);
    if (text.starts_with('N') && equals != std::string_view::npos) {
      const std::uint64_t node = number_in(text.substr(1, equals - 1));
      if (node < kMostNodes) {
        mapped.bytes_on.resize(std::max<std::size_t>(mapped.bytes_on.size(), node + 1));
        mapped.bytes_on[node] = number_in(value);
      }
    } else if (text.starts_with("kernelpagesize_kB=")) {
      page = number_in(value);
    } else if (text.starts_with("anon=")) {
      is_own = true;
    } else if (text.starts_with("file=")) {
      mapped.kind = value;
    } else if (text == "heap" || text == "stack") {
      mapped.kind = text;
    }
  }
  for (std::uint64_t& bytes : mapped.bytes_on) {
    bytes *= page << 10U;
    mapped.bytes += bytes;
  }
  return is_own || mapped.kind.empty() ? std::optional(mapped) : std::nullopt;
}

}  // namespace

std::optional<std::vector<Mapped>> mapped_in(int process, std::uint64_t least) {
  errno = 0;
  std::ifstream file(fmt::format("/proc/{}/numa_maps", process));
  if (!file) {
    return std::nullopt;
  }
  std::vector<Mapped> mappings;
  for (std::string line; std::getline(file, line);) {
    auto mapped = parse_mapped(line);
    if (mapped && mapped->bytes >= least) {
      mappings.push_back(std::move(*mapped));
    }
  }
  if (file.bad()) {
    return std::nullopt;
  }
  std::ranges::sort(mappings, [](const Mapped& one, const Mapped& other) {
    return one.bytes != other.bytes ? one.bytes > other.bytes : one.begin < other.begin;
  });
  return mappings;
}

std::string in_words(int process, const std::vector<Mapped>& mappings) {
  std::string text = fmt::format("nestbind memory: process {}: {}\n", process, kUnwatched);
  for (const Mapped& mapped : mappings) {
    text += fmt::format("region {:x} {}{}{}", mapped.begin, size_in_words(mapped.bytes),
                        mapped.kind.empty() ? "" : "  ", mapped.kind);
    const char* between = "  on ";
    for (std::size_t node = 0; node < mapped.bytes_on.size(); ++node) {
      if (mapped.bytes_on[node] > 0) {
        text += fmt::format(
            "{}node {}: {:.0f} %", between, node,
            100 * static_cast<double>(mapped.bytes_on[node]) / static_cast<double>(mapped.bytes));
        between = ", ";
      }
    }
    text += "\n";
  }
  return text + (mappings.empty() ? "no region is large enough\n" : "");
}

std::string as_json(int process, const std::vector<Mapped>& mappings) {
  nlohmann::ordered_json regions = nlohmann::ordered_json::array();
  for (const Mapped& mapped : mappings) {
    regions.push_back({{"begin", mapped.begin},
                       {"bytes", mapped.bytes},
                       {"name", mapped.kind},
                       {"bytes_on", mapped.bytes_on}});
  }
  const nlohmann::ordered_json told = {{"memory",
                                        {{"process", process},
                                         {"tier", "pages"},
                                         {"circumstances", kUnwatched},
                                         {"regions", regions}}}};
  return told.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace nestbind::cli::memory
