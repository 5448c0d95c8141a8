// SPDX-License-Identifier: BSD-3-Clause
// Hardware as bytes: the result of libnestbind-topology.so, and the contents of a cache's file.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

#include "machine/hardware.hpp"

namespace nestbind::machine::cache {

struct Key {
  // the file's name, made from the node's name and the processors that a cpuset allows
  std::string file;
  std::string text;  // a file with another text is ignored
};

// The parts of a file in the cache:
// - "nestbind"
// - the number of the format
// - a hash of all parts that follow
// - the length of the key
// - the key
// - the contents
// hash() detects damaged files and different names, but does not protect against an attacker.

// Hashes eight bytes at a time (FNV-1a hashes one byte).
inline std::uint64_t hash(std::string_view bytes) {
  std::uint64_t value = 0xcbf29ce484222325U + bytes.size();
  while (!bytes.empty()) {
    std::uint64_t word = 0;
    bytes.remove_prefix(bytes.copy(reinterpret_cast<char*>(&word), sizeof word));
    value = (value ^ word) * 0x9e3779b97f4a7c15U;
    value ^= value >> 32U;
  }
  return value;
}

inline std::string hexadecimal(std::uint64_t value) {
  std::string text(16, '0');
  for (std::size_t i = text.size(); i-- > 0; value >>= 4U) {
    text[i] = "0123456789abcdef"[value & 15U];
  }
  return text;
}

// format: a number for each kind of contents. A machine with another byte order reads a different
// number, and so rejects the file.
std::string enclose(std::uint64_t format, const Key& key, std::string_view contents);

// Returns none if the bytes are damaged, or have another format or key.
std::optional<std::string_view> contents_of(std::string_view bytes, std::uint64_t format,
                                            const Key& key);

// Numbers as bytes in this machine's order.

template <typename Number>
void put(std::string& out, Number number) {
  char bytes[sizeof number];
  std::memcpy(bytes, &number, sizeof number);
  out.append(bytes, sizeof number);
}

template <typename Number>
bool take(std::string_view& bytes, Number& number) {
  if (bytes.size() < sizeof number) {
    return false;
  }
  bytes.remove_prefix(bytes.copy(reinterpret_cast<char*>(&number), sizeof number));
  return true;
}

std::string encode(const Hardware& hardware);

// Returns none if the bytes are damaged, or if the hardware breaks an invariant (hardware.hpp).
std::optional<Hardware> decode(std::string_view bytes, const char** why = nullptr);

}  // namespace nestbind::machine::cache
