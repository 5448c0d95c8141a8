// SPDX-License-Identifier: BSD-3-Clause
#include "memory/kernel/replicas.hpp"

#include <dlfcn.h>
#include <errno.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "memory/kernel/memory_nodes.hpp"
#include "memory/kernel/pages.hpp"
#include "support/system_call.hpp"

namespace nestbind::memory::kernel {

namespace {

class Mapped {
 public:
  explicit Mapped(std::size_t bytes) {
    const std::size_t page = page_bytes();
    bytes_ = (bytes + page - 1) / page * page;
    void* const mapped =
        mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped != MAP_FAILED) {
      begin_ = static_cast<char*>(mapped);
      madvise(begin_, bytes_, MADV_HUGEPAGE);
    }
  }
  Mapped(Mapped&& other) noexcept
      : begin_(std::exchange(other.begin_, nullptr)), bytes_(other.bytes_) {}
  Mapped(const Mapped&) = delete;
  Mapped& operator=(const Mapped&) = delete;
  Mapped& operator=(Mapped&&) = delete;
  ~Mapped() {
    if (begin_ != nullptr) {
      munmap(begin_, bytes_);
    }
  }
  bool is_there() const { return begin_ != nullptr; }
  char* begin() const { return begin_; }

 private:
  char* begin_ = nullptr;
  std::size_t bytes_ = 0;
};

struct Replicas : nestbind_replicas {
  std::vector<Mapped> mapped;
  std::vector<const void*> copies;
};

// Returns where the kernel keeps a thread's processor, as an offset from the thread pointer, or
// 0. This is the member cpu_id of struct rseq (rseq(2)).
long find_processor_at() {
  const auto* const size = static_cast<const unsigned*>(dlsym(RTLD_DEFAULT, "__rseq_size"));
  const auto* const offset =
      static_cast<const std::ptrdiff_t*>(dlsym(RTLD_DEFAULT, "__rseq_offset"));
  if (size == nullptr || offset == nullptr || *size == 0) {
    return 0;
  }
  return static_cast<long>(*offset) + static_cast<long>(sizeof(unsigned));
}

// Copies by a system call, because a fault in a usual copy would end the process.
int copy(char* to, const void* from, std::size_t bytes) {
  constexpr std::size_t kAtOnce = std::size_t{1} << 30;  // the kernel takes less than 2 GiB
  const long process = support::kernel_answer(SYS_getpid, 0, 0, 0, 0, 0, 0);
  for (std::size_t at = 0; at < bytes;) {
    const std::size_t wanted = std::min(bytes - at, kAtOnce);
    const iovec target{to + at, wanted};
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): the kernel reads it
    const iovec source{static_cast<char*>(const_cast<void*>(from)) + at, wanted};
    const long answer =
        support::kernel_answer(SYS_process_vm_readv, process, support::as_word(&target), 1,
                               support::as_word(&source), 1, 0);
    if (answer == -EPERM || answer == -ENOSYS) {
      std::memcpy(to, from, bytes);  // a seccomp filter forbids the call
      return NESTBIND_OK;
    }
    if (answer <= 0) {
      return answer == -ENOMEM ? NESTBIND_NO_MEMORY : NESTBIND_NOT_MAPPED;
    }
    at += static_cast<std::size_t>(answer);
  }
  return NESTBIND_OK;
}

bool is_on(const Range& range, int node) {
  std::vector<int> found(range.pages());
  return find_nodes(range, found) == 0 &&
         std::ranges::all_of(found, [&](int at) { return at == node; });
}

int make_copy(const void* p, std::size_t bytes, int node, bool is_only, Replicas& replicas) {
  const std::size_t in_page = reinterpret_cast<std::uintptr_t>(p) % page_bytes();
  Mapped mapped(bytes + in_page);
  if (!mapped.is_there()) {
    return NESTBIND_NO_MEMORY;
  }
  const Range range = pages_around(mapped.begin(), bytes + in_page);
  NodeSet own;
  own.add(node);
  const bool has_policy = is_only || set_policy(range, Policy::kPreferred, own) == 0;
  if (const int copied = copy(mapped.begin() + in_page, p, bytes); copied != NESTBIND_OK) {
    return copied;
  }
  protect(range, PROT_READ);
  const bool is_there = is_only || (has_policy && is_on(range, node));
  replicas.mapped.push_back(std::move(mapped));
  return is_there ? NESTBIND_OK : NESTBIND_PARTLY_PLACED;
}

void hand_out(std::size_t in_page, std::span<const int> own, Replicas& replicas) {
  const Nodes& all = nodes();
  const long configured = sysconf(_SC_NPROCESSORS_CONF);
  const std::size_t processors =
      std::max(all.of_processor.size(), static_cast<std::size_t>(std::max(configured, 1L)));
  NodeSet with_copy;
  std::ranges::for_each(own, [&](int node) { with_copy.add(node); });
  for (std::size_t i = 0; i < processors; ++i) {
    const int node = all.nearest(all.of(static_cast<int>(i)), with_copy);
    const auto at = std::ranges::find(own, node);
    const std::size_t number = at == own.end() ? 0 : static_cast<std::size_t>(at - own.begin());
    replicas.copies.push_back(replicas.mapped[number].begin() + in_page);
  }
}

}  // namespace

int replicate(const void* p, std::size_t bytes, std::span<const int> nodes,
              nestbind_replicas*& replicas) {
  auto made = std::make_unique<Replicas>();
  made->mapped.reserve(nodes.size());
  int result = NESTBIND_OK;
  for (const int node : nodes) {
    const int copied = make_copy(p, bytes, node, nodes.size() == 1, *made);
    if (copied != NESTBIND_OK && copied != NESTBIND_PARTLY_PLACED) {
      return copied;
    }
    result = copied == NESTBIND_PARTLY_PLACED ? copied : result;
  }
  hand_out(reinterpret_cast<std::uintptr_t>(p) % page_bytes(), nodes, *made);
  made->processor_at = find_processor_at();
  made->processors = static_cast<unsigned>(made->copies.size());
  made->copy = made->copies.data();
  replicas = made.release();
  return result;
}

void release(nestbind_replicas* replicas) { delete static_cast<Replicas*>(replicas); }

}  // namespace nestbind::memory::kernel
