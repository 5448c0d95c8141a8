// SPDX-License-Identifier: BSD-3-Clause
#include "instrument/pomp-library/opari2/regions.hpp"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <atomic>

#include "instrument/pomp-library/opari2/ctc.hpp"

namespace nestbind::opari2 {

namespace {

struct Node {
  Node* next;
  const void* handle;
  nestbind_region region;
};

constexpr unsigned kBuckets = 1024;  // a power of two

// Nodes are put in front and stay: readers need no lock. Two threads that meet a region for the
// first time at once may both note it.
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
