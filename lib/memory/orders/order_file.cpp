// SPDX-License-Identifier: BSD-3-Clause
#include "memory/orders/order_file.hpp"

#include <sys/mman.h>

#include "support/errno_kept.hpp"
#include "support/files.hpp"

namespace nestbind::memory {

namespace {

constinit std::atomic<std::uint32_t> g_obeyed{0};

bool is_own(int file) {
  struct stat status{};
  return fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == geteuid() &&
         (status.st_mode & (S_IWGRP | S_IWOTH)) == 0 && status.st_size == sizeof(OrderFile);
}

void obey(Order& order) {
  constexpr long kDefault = 0;  // MPOL_* of linux/mempolicy.h
  constexpr long kInterleave = 3;
  const bool is_interleaved = order.is_interleaved != 0;
  const long answer = support::kernel_answer(
      SYS_mbind, static_cast<long>(order.begin), static_cast<long>(order.end - order.begin),
      is_interleaved ? kInterleave : kDefault, is_interleaved ? support::as_word(order.nodes) : 0,
      is_interleaved ? Order::kMostNodes + 1 : 0, 0);
  order.answer.store(static_cast<std::int32_t>(answer < 0 ? -answer : 0),
                     std::memory_order_release);
}

}  // namespace

void take_orders(const char* name) {
  const support::ErrnoKept errno_kept;
  const support::Descriptor file(support::open_at(AT_FDCWD, name, O_RDWR));
  if (!file.is_open() || !is_own(file.number())) {
    return;
  }
  void* const mapped =
      mmap(nullptr, sizeof(OrderFile), PROT_READ | PROT_WRITE, MAP_SHARED, file.number(), 0);
  if (mapped == MAP_FAILED) {
    return;
  }
  auto* const orders = static_cast<OrderFile*>(mapped);
  if (orders->magic == OrderFile::kMagic && start_of(orders->owner) == orders->owner_started) {
    g_orders.store(orders, std::memory_order_release);
  } else {
    munmap(mapped, sizeof(OrderFile));
  }
}

void obey_new_orders() {
  OrderFile& file = *g_orders.load(std::memory_order_acquire);
  const std::uint32_t count = file.count.load(std::memory_order_acquire);
  std::uint32_t from = g_obeyed.load(std::memory_order_relaxed);
  if (from >= count || count > OrderFile::kMost || !g_obeyed.compare_exchange_strong(from, count)) {
    return;
  }
  const support::ErrnoKept errno_kept;
  const long own = support::kernel_answer(SYS_getpid, 0, 0, 0, 0, 0, 0);
  for (; from < count; ++from) {
    if (file.orders[from].process == own) {
      obey(file.orders[from]);
    }
  }
}

}  // namespace nestbind::memory
