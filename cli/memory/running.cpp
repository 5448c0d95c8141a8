// SPDX-License-Identifier: BSD-3-Clause
#include "cli/memory/running.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <numeric>
#include <sstream>

#include "cli/memory/request_file.hpp"
#include "memory/request.hpp"

namespace nestbind::cli::memory {

namespace {

constexpr char kUnwatched[] = "it is not watched: where its memory is, and not who uses it";
constexpr char kThread[] = "nestbind-memory";  // the one that watches

std::string folder_of(int process) { return "/proc/" + std::to_string(process); }

// As it knows itself: the last of "NStgid: 4711 17". A thread's number stands for its process's.
int own_number_of(int process) {
  std::ifstream file(folder_of(process) + "/status");
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string key;
    if (words >> key && key == "NStgid:") {
      for (int number = 0; words >> number;) {
        process = number;
      }
    }
  }
  return process;
}

// Whether it has another folder of requests than we have: what is put into ours it never sees.
bool is_elsewhere(int process) {
  struct stat own{};
  struct stat its{};
  const std::string name = folder_of(process) + "/root" + nestbind::memory::kRequests;
  return stat(nestbind::memory::kRequests, &own) == 0 && stat(name.c_str(), &its) == 0 &&
         (own.st_dev != its.st_dev || own.st_ino != its.st_ino);
}

// Why it has let go of a request without an answer.
std::string reason_for_silence(int process, const RequestFile& request) {
  rlimit largest{};
  const bool is_known = prlimit(process, RLIMIT_FSIZE, nullptr, &largest) == 0;
  if (is_known && largest.rlim_cur <= request.written()) {
    return fmt::format("it cannot answer: it may write no more than {} bytes to a file (ulimit -f)",
                       largest.rlim_cur);
  }
  return request.is_full()
             ? fmt::format("it cannot answer: {} is full", nestbind::memory::kRequests)
             : "it has taken the request, and does not answer";
}

std::uint64_t number_in(std::string_view text) {
  std::uint64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

std::string size_in_words(std::uint64_t bytes) {
  constexpr double kMebi = 1 << 20;
  constexpr double kGibi = 1 << 30;
  const auto size = static_cast<double>(bytes);
  return size >= kGibi ? fmt::format("{:.1f} GiB", size / kGibi)
                       : fmt::format("{:.1f} MiB", size / kMebi);
}

}  // namespace

bool is_watched(int process) {
  std::error_code ignored;
  for (const auto& task :
       std::filesystem::directory_iterator(folder_of(process) + "/task", ignored)) {
    std::ifstream file(task.path() / "comm");
    std::string name;
    if (std::getline(file, name) && name == kThread) {
      return true;
    }
  }
  return false;
}

std::string ask(int process, std::string& fault) {
  constexpr auto kPatience = std::chrono::seconds(10);
  struct stat status{};
  if (stat(folder_of(process).c_str(), &status) != 0) {
    fault = "there is no such process";
    return "";
  }
  if (is_elsewhere(process)) {
    fault = fmt::format("it cannot be asked: it has another {}, as in a container",
                        nestbind::memory::kRequests);
    return "";
  }
  Pauses pauses;  // ends behind the request
  RequestFile request(status.st_uid, own_number_of(process));
  const auto end = std::chrono::steady_clock::now() + kPatience;
  do {
    if (!request.is_made() && !request.make() && errno != EAGAIN) {
      fault = fmt::format("it cannot be asked: {}: {}", request.name(), std::strerror(errno));
      return "";
    }
    std::string text = request.is_made() ? request.answer() : "";
    if (!text.empty()) {
      return text;
    }
    if (access(folder_of(process).c_str(), F_OK) != 0) {
      fault = "it has ended";
      return "";
    }
    if (request.is_made() && request.is_let_go()) {
      text = request.answer();  // which may have come meanwhile
      fault = text.empty() ? reason_for_silence(process, request) : "";
      return text;
    }
  } while (pauses.pause() && std::chrono::steady_clock::now() < end);
  fault =
      request.is_made()
          ? "it does not answer: it may be stopped, be in another container, or be told to watch"
            " for a time that is over"
          : "somebody else asks it, and has no answer";
  return "";
}

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

std::optional<std::vector<Mapped>> mapped_in(int process, std::uint64_t least) {
  errno = 0;
  std::ifstream file(folder_of(process) + "/numa_maps");
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
