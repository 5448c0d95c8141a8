// SPDX-License-Identifier: BSD-3-Clause
#include "machine/cache/envelope.hpp"

namespace nestbind::machine::cache {
namespace {

constexpr std::string_view kMagic = "nestbind";

bool skip(std::string_view& bytes, std::string_view expected) {
  if (!bytes.starts_with(expected)) {
    return false;
  }
  bytes.remove_prefix(expected.size());
  return true;
}

}  // namespace

std::string enclose(std::uint64_t format, const Key& key, std::string_view contents) {
  std::string body;
  put<std::uint64_t>(body, key.text.size());
  body += key.text;
  body += contents;
  std::string bytes(kMagic);
  put(bytes, format);
  put(bytes, hash(body));
  return bytes + body;
}

std::optional<std::string_view> contents_of(std::string_view bytes, std::uint64_t format,
                                            const Key& key) {
  std::uint64_t own = 0;
  std::uint64_t told = 0;
  std::uint64_t length = 0;
  const bool is_good = skip(bytes, kMagic) && take(bytes, own) && own == format &&
                       take(bytes, told) && told == hash(bytes) && take(bytes, length) &&
                       length == key.text.size() && skip(bytes, key.text);
  return is_good ? std::optional(bytes) : std::nullopt;
}

}  // namespace nestbind::machine::cache
