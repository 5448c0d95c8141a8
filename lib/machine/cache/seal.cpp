// SPDX-License-Identifier: BSD-3-Clause
// A file of the cache: "nestbind", the number of its format, a hash of all that follows, the length
// of the key, the key, the record.
#include <cstring>

#include "machine/cache/cache.hpp"
#include "machine/cache/hash.hpp"
#include "machine/cache/record.hpp"

namespace nestbind::machine::cache {
namespace {

// Another byte order makes another number.
constexpr std::uint64_t kFormat = 1;
constexpr std::string_view kMagic = "nestbind";

void put(std::string& out, std::uint64_t number) {
  char bytes[sizeof number];
  std::memcpy(bytes, &number, sizeof number);
  out.append(bytes, sizeof number);
}

std::optional<std::uint64_t> take_number(std::string_view& bytes) {
  std::uint64_t number = 0;
  if (bytes.size() < sizeof number) {
    return std::nullopt;
  }
  std::memcpy(&number, bytes.data(), sizeof number);
  bytes.remove_prefix(sizeof number);
  return number;
}

bool take(std::string_view& bytes, std::string_view expected) {
  if (!bytes.starts_with(expected)) {
    return false;
  }
  bytes.remove_prefix(expected.size());
  return true;
}

}  // namespace

std::string seal(const Hardware& hardware, const Key& key) {
  std::string body;
  put(body, key.text.size());
  body += key.text;
  body += encode(hardware);
  std::string bytes(kMagic);
  put(bytes, kFormat);
  put(bytes, hash(body));
  return bytes + body;
}

std::optional<Hardware> unseal(std::string_view bytes, const Key& key) {
  if (!take(bytes, kMagic) || take_number(bytes) != kFormat) {
    return std::nullopt;
  }
  const auto told = take_number(bytes);
  if (!told || *told != hash(bytes) || take_number(bytes) != key.text.size() ||
      !take(bytes, key.text)) {
    return std::nullopt;
  }
  return decode(bytes);
}

}  // namespace nestbind::machine::cache
