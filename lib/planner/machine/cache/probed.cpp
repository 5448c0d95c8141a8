// SPDX-License-Identifier: BSD-3-Clause
// The envelope of a file of measurements contains the number of nodes, then the values row by row.
#include "machine/cache/probed.hpp"

#include <algorithm>
#include <utility>

#include "machine/cache/record.hpp"

namespace nestbind::machine::cache {
namespace {

// Differs from the format of a machine's file (cache_file.cpp).
constexpr std::uint64_t kProbedFormat = 0x70726f6265640001;
constexpr std::uint64_t kMostNodes = 1024;

using Matrix = std::vector<std::vector<unsigned>>;

void put_matrix(std::string& contents, const Matrix& matrix) {
  for (const auto& row : matrix) {
    for (const unsigned value : row) {
      put<std::uint32_t>(contents, value);
    }
  }
}

bool take_matrix(std::string_view& bytes, Matrix& matrix, std::uint64_t nodes) {
  matrix.assign(nodes, std::vector<unsigned>(nodes, 0));
  for (auto& row : matrix) {
    for (unsigned& value : row) {
      std::uint32_t number = 0;
      if (!take(bytes, number)) {
        return false;
      }
      value = number;
    }
  }
  return true;
}

}  // namespace

bool covers(const Probed& probed, const Hardware& hardware) {
  if (probed.ns.size() != hardware.numa_processors.size()) {
    return false;
  }
  std::vector<bool> is_covered(hardware.cpus.size(), false);
  for (std::size_t node = 0; node < probed.ns.size(); ++node) {
    for (const int p : hardware.numa_processors[node]) {
      const auto at = static_cast<std::size_t>(p);
      is_covered[at] = is_covered[at] || probed.ns[node][node] != 0;
    }
  }
  return std::ranges::all_of(is_covered, [](bool covered) { return covered; });
}

std::optional<Key> key_of_probed() {
  auto key = key_of_this_process("probed");
  if (key) {
    key->file.replace(0, key->file.rfind('-'), "nestbind-probed");
  }
  return key;
}

std::string seal(const Probed& probed, const Key& key) {
  std::string contents;
  put<std::uint64_t>(contents, probed.ns.size());
  put_matrix(contents, probed.ns);
  put_matrix(contents, probed.megabytes);
  return enclose(kProbedFormat, key, contents);
}

std::optional<Probed> unseal_probed(std::string_view bytes, const Key& key) {
  auto contents = contents_of(bytes, kProbedFormat, key);
  std::uint64_t nodes = 0;
  const bool is_good = contents && take(*contents, nodes) && nodes <= kMostNodes &&
                       contents->size() == 2 * nodes * nodes * sizeof(std::uint32_t);
  Probed probed;
  const bool is_whole = is_good && take_matrix(*contents, probed.ns, nodes) &&
                        take_matrix(*contents, probed.megabytes, nodes);
  return is_whole ? std::optional(std::move(probed)) : std::nullopt;
}

std::optional<Probed> find_probed(const char* cache) {
  const auto folder = Folder::open(cache);
  const auto key = folder.is_usable() ? key_of_probed() : std::nullopt;
  const auto bytes = key ? folder.read_bytes(*key) : std::nullopt;
  return bytes ? unseal_probed(*bytes, *key) : std::nullopt;
}

void add_probed(Hardware& hardware, const char* cache) {
  const auto probed = find_probed(cache);
  if (probed && covers(*probed, hardware)) {
    hardware.probed_distance = probed->ns;
  }
}

}  // namespace nestbind::machine::cache
