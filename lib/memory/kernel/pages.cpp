// SPDX-License-Identifier: BSD-3-Clause
#include "memory/kernel/pages.hpp"

#include <errno.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <sys/uio.h>

#include <algorithm>

#include "support/system_call.hpp"

namespace nestbind::memory::kernel {

namespace {

// From linux/mempolicy.h, which does not come with every C library.
constexpr int kMpolPreferred = 1;
constexpr int kMpolInterleave = 3;
constexpr int kMpolFMemsAllowed = 1 << 2;
constexpr int kMpolMfMove = 1 << 1;

long call(long number, long a, long b, long c, long d = 0, long e = 0, long f = 0) {
  return support::kernel_answer(number, a, b, c, d, e, f);
}

int as_error(long answer) { return answer < 0 ? static_cast<int>(-answer) : 0; }

// The list of pages is on the stack.
constexpr std::size_t kPagesAtOnce = 512;

long move_pages(int process, std::size_t count, const std::uintptr_t* pages, const int* nodes,
                int* status) {
  static_assert(sizeof(std::uintptr_t) == sizeof(void*));
  return call(SYS_move_pages, process, static_cast<long>(count), support::as_word(pages),
              support::as_word(nodes), support::as_word(status), kMpolMfMove);
}

// Calls note(index, whether the page is in memory) for each page.
template <typename Note>
int each_resident(const Range& range, Note note) {
  unsigned char resident[4096];
  const std::size_t page = page_bytes();
  for (std::size_t at = 0; at < range.pages(); at += sizeof resident) {
    const std::size_t count = std::min(range.pages() - at, sizeof resident);
    const long answer = call(SYS_mincore, static_cast<long>(range.begin + at * page),
                             static_cast<long>(count * page), support::as_word(resident));
    if (answer == -ENOMEM || answer == -EINVAL) {
      return ENOMEM;
    }
    for (std::size_t i = 0; i < count && answer == 0; ++i) {
      note(at + i, (resident[i] & 1U) != 0);
    }
  }
  return 0;  // also if a seccomp filter forbids mincore
}

bool read_byte(std::uintptr_t page) {
  char byte = 0;
  const iovec to{&byte, 1};
  // NOLINTNEXTLINE(performance-no-int-to-ptr): the kernel uses addresses as numbers
  const iovec from{reinterpret_cast<void*>(page), 1};
  return call(SYS_process_vm_readv, call(SYS_getpid, 0, 0, 0), support::as_word(&to), 1,
              support::as_word(&from), 1) > 0;
}

int find_some(const Range& range, std::span<int> nodes, int process) {
  std::uintptr_t pages[kPagesAtOnce];
  const std::size_t count = range.pages();
  for (std::size_t i = 0; i < count; ++i) {
    pages[i] = range.begin + i * page_bytes();
  }
  const int error = find_nodes({pages, count}, nodes, process);
  bool is_any_read = false;
  if (error == 0 && process == 0) {
    each_resident(range, [&](std::size_t page, bool is_there) {
      const bool is_read = is_there && nodes[page] == kNoPage && read_byte(pages[page]);
      is_any_read = is_any_read || is_read;
    });
  }
  return is_any_read ? find_nodes({pages, count}, nodes) : error;
}

// The kernel stops at a page that it cannot move. Then each half of the pages is tried alone.
int move_some(std::span<const std::uintptr_t> pages, std::span<const int> nodes,
              std::span<int> status, int process, int& tries) {
  --tries;
  const long answer = move_pages(process, pages.size(), pages.data(), nodes.data(), status.data());
  const std::size_t half = pages.size() / 2;
  if (answer > 0 && half > 0 && tries > 0) {
    const int error =
        move_some(pages.first(half), nodes.first(half), status.first(half), process, tries);
    return error != 0 ? error
                      : move_some(pages.subspan(half), nodes.subspan(half), status.subspan(half),
                                  process, tries);
  }
  // With these answers the kernel has written the status of each page.
  const bool is_told = answer >= 0 || answer == -ENOENT || answer == -EBUSY || answer == -EACCES ||
                       answer == -ENOMEM || answer == -EFAULT;
  return is_told ? 0 : as_error(answer);
}

}  // namespace

std::size_t page_bytes() { return getauxval(AT_PAGESZ); }

Range pages_around(const void* p, std::size_t bytes) {
  const std::uintptr_t mask = page_bytes() - 1;
  const auto begin = reinterpret_cast<std::uintptr_t>(p);
  // The end of the last page of the address space does not fit into uintptr_t.
  const std::uintptr_t end = begin + bytes > ~mask ? ~mask : (begin + bytes + mask) & ~mask;
  return bytes == 0 ? Range{begin & ~mask, begin & ~mask} : Range{begin & ~mask, end};
}

int check_mapped(const Range& range) {
  return each_resident(range, [](std::size_t, bool) {});
}

int find_resident(const Range& range, std::span<int> nodes) {
  std::ranges::fill(nodes, kNoPage);
  return each_resident(
      range, [&](std::size_t page, bool is_there) { nodes[page] = is_there ? 0 : kNoPage; });
}

int find_nodes(std::span<const std::uintptr_t> pages, std::span<int> nodes, int process) {
  if (const long answer = move_pages(process, pages.size(), pages.data(), nullptr, nodes.data());
      answer < 0) {
    return as_error(answer);
  }
  for (int& node : nodes) {
    node = node < 0 ? kNoPage : node;
  }
  return 0;
}

int find_nodes(const Range& range, std::span<int> nodes, int process) {
  const std::size_t all = range.pages();
  for (std::size_t at = 0; at < all; at += kPagesAtOnce) {
    const std::size_t count = std::min(all - at, kPagesAtOnce);
    const std::uintptr_t begin = range.begin + at * page_bytes();
    if (const int error =
            find_some({begin, begin + count * page_bytes()}, nodes.subspan(at, count), process);
        error != 0) {
      return error;
    }
  }
  return 0;
}

int move(std::span<const std::uintptr_t> pages, std::span<const int> nodes, std::span<int> status,
         int process) {
  std::ranges::fill(status, -EBUSY);  // for pages that the kernel does not reach
  for (std::size_t at = 0; at < pages.size();) {
    std::size_t behind = at + 1;
    while (behind < pages.size() && nodes[behind] == nodes[at]) {
      ++behind;
    }
    constexpr int kMostTries = 256;
    int tries = kMostTries;
    const std::size_t count = behind - at;
    if (const int error = move_some(pages.subspan(at, count), nodes.subspan(at, count),
                                    status.subspan(at, count), process, tries)) {
      return error;
    }
    at = behind;
  }
  return 0;
}

int set_policy(const Range& range, Policy policy, const NodeSet& nodes) {
  const int mode = policy == Policy::kPreferred ? kMpolPreferred : kMpolInterleave;
  return as_error(call(SYS_mbind, static_cast<long>(range.begin),
                       static_cast<long>(range.end - range.begin), mode,
                       support::as_word(nodes.bits), kMostNodes + 1,
                       0));  // the kernel subtracts 1 from the number of nodes
}

int find_allowed(NodeSet& nodes) {
  return as_error(
      call(SYS_get_mempolicy, 0, support::as_word(nodes.bits), kMostNodes, 0, kMpolFMemsAllowed));
}

int protect(const Range& range, int protection) {
  return as_error(call(SYS_mprotect, static_cast<long>(range.begin),
                       static_cast<long>(range.end - range.begin), protection));
}

int own_node() {
  unsigned node = 0;
  const long answer = call(SYS_getcpu, 0, support::as_word(&node), 0);
  return answer < 0 ? 0 : static_cast<int>(node);
}

}  // namespace nestbind::memory::kernel
