// SPDX-License-Identifier: BSD-3-Clause
// What is around the contents of a cache's file: "nestbind", the number of its format, a hash of
// all that follows, the length of the key, the key. Inside lib/machine/cache.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "machine/cache/cache.hpp"

namespace nestbind::machine::cache {

// format: another number for each kind of contents; another byte order makes another one of it.
std::string enclose(std::uint64_t format, const Key& key, std::string_view contents);

// The contents, in these bytes; none where they are damaged, of another format, or of another key.
std::optional<std::string_view> contents_of(std::string_view bytes, std::uint64_t format,
                                            const Key& key);

}  // namespace nestbind::machine::cache
