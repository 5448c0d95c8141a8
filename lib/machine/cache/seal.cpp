// SPDX-License-Identifier: BSD-3-Clause
// A machine's file of the cache: the record, in an envelope.
#include "machine/cache/cache.hpp"
#include "machine/cache/envelope.hpp"
#include "machine/cache/record.hpp"

namespace nestbind::machine::cache {
namespace {

constexpr std::uint64_t kFormat = 1;

}  // namespace

std::string seal(const Hardware& hardware, const Key& key) {
  return enclose(kFormat, key, encode(hardware));
}

std::optional<Hardware> unseal(std::string_view bytes, const Key& key) {
  const auto contents = contents_of(bytes, kFormat, key);
  return contents ? decode(*contents) : std::nullopt;
}

}  // namespace nestbind::machine::cache
