// SPDX-License-Identifier: BSD-3-Clause
#include "cli/memory/memory_policy.hpp"

#include <linux/mempolicy.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <optional>
#include <vector>

#include "cli/common/say.hpp"
#include "mask/cpu_list.hpp"

namespace nestbind::cli {

namespace {

constexpr int kMostNodes = 1024;  // Linux's own limit
constexpr int kBits = 8 * sizeof(unsigned long);
using NodeMask = std::array<unsigned long, kMostNodes / kBits>;

struct Policy {
  int mode = MPOL_LOCAL;
  std::vector<int> nodes;  // if empty, all that may be used
};

std::optional<Policy> read_policy(const std::string& text) {
  const std::size_t colon = text.find(':');
  const std::string word = text.substr(0, colon);
  Policy policy;
  if (colon != std::string::npos) {
    const auto nodes = mask::parse_list(text.substr(colon + 1));
    if (!nodes) {
      return std::nullopt;
    }
    policy.nodes = *nodes;
  }
  const std::size_t count = policy.nodes.size();
  policy.mode = word == "interleave" ? MPOL_INTERLEAVE
                : word == "bind"     ? MPOL_BIND
                : word == "prefer"   ? MPOL_PREFERRED
                                     : MPOL_LOCAL;
  const bool is_right = word == "local"        ? count == 0
                        : word == "interleave" ? true
                        : word == "bind"       ? count > 0
                                               : word == "prefer" && count == 1;
  return is_right ? std::optional(policy) : std::nullopt;
}

// The nodes with memory that the cpuset allows; empty if the kernel does not say.
std::vector<int> allowed_nodes() {
  NodeMask mask{};
  std::vector<int> nodes;
  if (syscall(SYS_get_mempolicy, nullptr, mask.data(), kMostNodes + 1, nullptr,
              MPOL_F_MEMS_ALLOWED) == 0) {
    for (int node = 0; node < kMostNodes; ++node) {
      if ((mask[node / kBits] >> (node % kBits) & 1U) != 0) {
        nodes.push_back(node);
      }
    }
  }
  return nodes;
}

}  // namespace

int set_memory_policy(const std::string& text) {
  auto policy = read_policy(text);
  if (!policy) {
    say("--memory-policy {}: expected local, interleave[:NODES], bind:NODES or prefer:NODE", text);
    return kUsage;
  }
  const std::vector<int> allowed = allowed_nodes();
  std::vector<int> missing;
  std::ranges::set_difference(policy->nodes, allowed, std::back_inserter(missing));
  // The kernel would leave out these nodes without a word.
  if (!allowed.empty() && !missing.empty()) {
    say("--memory-policy {}: this process may use memory of node {} only, and not of node {}", text,
        mask::list(allowed), mask::list(missing));
    return kUsage;
  }
  NodeMask mask{};
  const bool is_open = policy->mode == MPOL_INTERLEAVE && policy->nodes.empty();
  for (const int node : is_open ? allowed : policy->nodes) {
    mask[node / kBits] |= 1UL << (node % kBits);
  }
  const bool has_nodes = policy->mode != MPOL_LOCAL;
  if (syscall(SYS_set_mempolicy, policy->mode, has_nodes ? mask.data() : nullptr,
              has_nodes ? kMostNodes + 1 : 0) != 0) {
    say("--memory-policy {}: {}", text, std::strerror(errno));
    return kFailure;
  }
  return kSuccess;
}

}  // namespace nestbind::cli
