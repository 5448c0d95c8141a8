// SPDX-License-Identifier: BSD-3-Clause
#include "instrument/pomp-library/opari2/pomp2_regions.hpp"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <atomic>

#include "support/decimal.hpp"

namespace nestbind::opari2 {

namespace {

constexpr std::size_t kMaxLength = 1 << 20;

long take_number(std::string_view& text) {
  const char* end = text.data();
  const auto number =
      static_cast<long>(support::take_decimal(end, text.data() + text.size(), kMaxLength));
  const auto digits = static_cast<std::size_t>(end - text.data());
  text.remove_prefix(digits);
  return digits == 0 ? -1 : number;
}

// Each "KEY=VALUE" begins after an asterisk and ends before the next.
bool value_of(std::string_view text, std::string_view key, std::string_view& value) {
  while (!text.empty()) {
    const std::size_t end = text.find('*');
    const std::string_view field = text.substr(0, end);
    if (field.starts_with(key)) {
      value = field.substr(key.size());
      return true;
    }
    text = end == text.npos ? std::string_view{} : text.substr(end + 1);
  }
  return false;
}

// Reads "FILE:FIRST:LAST". The file's name may contain colons.
bool read_location(std::string_view text, std::string_view& file, int& first, int& last) {
  const std::size_t second = text.rfind(':');
  if (second == text.npos || second == 0) {
    return false;
  }
  const std::size_t colon = text.rfind(':', second - 1);
  if (colon == text.npos) {
    return false;
  }
  std::string_view lines = text.substr(colon + 1);
  const long begin = take_number(lines);
  if (begin < 0 || lines.empty() || lines.front() != ':') {
    return false;
  }
  lines.remove_prefix(1);
  const long end = take_number(lines);
  if (end < 0 || !lines.empty()) {
    return false;
  }
  file = text.substr(0, colon);
  first = static_cast<int>(begin);
  last = static_cast<int>(end);
  return true;
}

struct Node {
  Node* next;
  const void* handle;
  nestbind_region region;
};

constexpr unsigned kBuckets = 1024;  // a power of two

// Nodes are added at the front and never removed, so readers need no lock.
constinit std::atomic<Node*> g_buckets[kBuckets]{};

std::atomic<Node*>& bucket_of(const void* handle) {
  const auto bits = reinterpret_cast<uintptr_t>(handle);
  return g_buckets[(bits >> 3 ^ bits >> 13) & (kBuckets - 1)];
}

Node* make_node(const void* handle, const char* ctc) {
  Source source;
  const bool known = read_ctc(ctc, source);
  char* memory = static_cast<char*>(malloc(sizeof(Node) + source.file.size() + 1));
  if (memory == nullptr) {
    return nullptr;
  }
  char* file = memory + sizeof(Node);
  if (!source.file.empty()) {
    memcpy(file, source.file.data(), source.file.size());
  }
  file[source.file.size()] = '\0';
  return new (memory)
      Node{nullptr, handle, {known ? file : nullptr, source.first_line, source.last_line}};
}

}  // namespace

bool read_ctc(const char* text, Source& source) {
  if (text == nullptr) {
    return false;
  }
  const char* end_of_length = text;
  const std::uint64_t length = support::take_decimal(end_of_length, nullptr, kMaxLength);
  if (end_of_length == text || *end_of_length != '*' || length >= kMaxLength) {
    return false;
  }
  std::string_view fields(end_of_length + 1, length);
  fields = fields.substr(0, fields.find("**"));
  std::string_view start;
  std::string_view end;
  Source read;
  std::string_view end_file;
  int unused = 0;
  if (!value_of(fields, "sscl=", start) || !value_of(fields, "escl=", end) ||
      !read_location(start, read.file, read.first_line, unused) ||
      !read_location(end, end_file, unused, read.last_line)) {
    return false;
  }
  source = read;
  return true;
}

const nestbind_region* region_of(const void* handle) {
  for (const Node* node = bucket_of(handle).load(std::memory_order_acquire); node != nullptr;
       node = node->next) {
    if (node->handle == handle) {
      return node->region.file != nullptr ? &node->region : nullptr;
    }
  }
  return nullptr;
}

void note_region(const void* handle, const char* ctc) {
  std::atomic<Node*>& bucket = bucket_of(handle);
  Node* first = bucket.load(std::memory_order_acquire);
  for (const Node* node = first; node != nullptr; node = node->next) {
    if (node->handle == handle) {
      return;
    }
  }
  const int saved = errno;
  if (Node* node = make_node(handle, ctc)) {
    do {
      node->next = first;
    } while (!bucket.compare_exchange_weak(first, node));
  }
  errno = saved;
}

}  // namespace nestbind::opari2
