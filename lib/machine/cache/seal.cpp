// SPDX-License-Identifier: BSD-3-Clause
// A file of the cache: "nestbind", the number of its format, a hash of all that follows, the length
// of the key, the key, the record.
#include "machine/cache/bytes.hpp"
#include "machine/cache/cache.hpp"
#include "machine/cache/hash.hpp"
#include "machine/cache/record.hpp"

namespace nestbind::machine::cache {
namespace {

// Another byte order makes another number.
constexpr std::uint64_t kFormat = 1;
constexpr std::string_view kMagic = "nestbind";

bool skip(std::string_view& bytes, std::string_view expected) {
  if (!bytes.starts_with(expected)) {
    return false;
  }
  bytes.remove_prefix(expected.size());
  return true;
}

}  // namespace

std::string seal(const Hardware& hardware, const Key& key) {
  std::string body;
  put<std::uint64_t>(body, key.text.size());
  body += key.text;
  body += encode(hardware);
  std::string bytes(kMagic);
  put(bytes, kFormat);
  put(bytes, hash(body));
  return bytes + body;
}

std::optional<Hardware> unseal(std::string_view bytes, const Key& key) {
  std::uint64_t format = 0;
  std::uint64_t told = 0;
  std::uint64_t length = 0;
  const bool is_good = skip(bytes, kMagic) && take(bytes, format) && format == kFormat &&
                       take(bytes, told) && told == hash(bytes) && take(bytes, length) &&
                       length == key.text.size() && skip(bytes, key.text);
  return is_good ? decode(bytes) : std::nullopt;
}

}  // namespace nestbind::machine::cache
