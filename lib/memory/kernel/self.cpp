// SPDX-License-Identifier: BSD-3-Clause
#include "memory/kernel/self.hpp"

#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>

#include "support/file_bytes.hpp"
#include "support/system_call.hpp"

namespace nestbind::memory::kernel {

using support::File;

bool read_all(const char* name, support::MappedVector<char>& text) {
  constexpr std::size_t kStep = std::size_t{1} << 16;
  const File file(name);
  std::size_t length = 0;
  while (true) {
    text.resize(std::max(text.size(), length + kStep));
    const long got = file.next(text.data() + length, kStep);
    if (got <= 0) {
      text.resize(length);
      return got == 0;
    }
    length += static_cast<std::size_t>(got);
  }
}

std::size_t read_beginning(const char* name, std::span<char> text) {
  const long length = File(name).next(text.data(), text.size());
  return length > 0 ? static_cast<std::size_t>(length) : 0;
}

long read_number(const char* name, long otherwise) {
  char text[32];
  const long length = File(name).next(text, sizeof text);
  long number = otherwise;
  if (length > 0) {
    std::from_chars(text, text + length, number);
  }
  return number;
}

namespace {

// Of this thread: where the initial one has ended, the process has no memory in /proc.
constexpr char kPageMap[] = "/proc/thread-self/pagemap";
constexpr std::uint64_t kIsThere = std::uint64_t{1} << 63;  // pagemap.rst of the kernel

}  // namespace

bool are_present(std::span<const std::uint64_t> pages, std::span<bool> present) {
  const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  const File file(kPageMap);
  for (std::size_t i = 0; i < pages.size(); ++i) {
    std::uint64_t entry = 0;
    if (!file.get(pages[i] / page * sizeof entry, entry)) {
      return false;
    }
    present[i] = (entry & kIsThere) != 0;
  }
  return true;
}

bool find_present(std::uint64_t address, std::span<bool> present) {
  constexpr std::uint64_t kPage = 4096;
  const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  const File file(kPageMap);
  std::uint64_t entries[64] = {};
  std::uint64_t first = 0;
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < present.size(); ++i) {
    const std::uint64_t number = (address + i * kPage) / page;
    if (number - first >= count) {
      const std::size_t got = file.some(number * sizeof entries[0], entries, sizeof entries);
      if (got < sizeof entries[0]) {
        return false;
      }
      first = number;
      count = got / sizeof entries[0];
    }
    present[i] = (entries[number - first] & kIsThere) != 0;
  }
  return true;
}

bool read_memory(int process, std::uint64_t address, void* into, std::size_t bytes) {
  const iovec local{into, bytes};
  const iovec remote{reinterpret_cast<void*>(address), bytes};  // NOLINT(performance-no-int-to-ptr)
  return support::system_call(SYS_process_vm_readv, process, &local, 1, &remote, 1, 0) ==
         static_cast<long>(bytes);
}

}  // namespace nestbind::memory::kernel
