// SPDX-License-Identifier: BSD-3-Clause
#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <exception>
#include <string>
#include <string_view>

#include "machine/cache/record.hpp"
#include "machine/hwloc/read.hpp"
#include "machine/reader/border.hpp"
#include "machine/reader/limits.hpp"

namespace nestbind::machine::reader {
namespace {

std::string answer_to(const char* source) try {
  return char{kRecord} + cache::encode(hwloc::read_hardware(source));
} catch (const std::exception& fault) {
  return char{kMessage} + std::string(fault.what());
}

bool write_all(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t put = ::write(kAnswerFile, bytes.data(), bytes.size());
    if (put <= 0) {
      return false;
    }
    bytes.remove_prefix(static_cast<std::size_t>(put));
  }
  return true;
}

}  // namespace
}  // namespace nestbind::machine::reader

int main(int argc, char** argv) {
  using namespace nestbind::machine::reader;
  if (argc != 2 || argv[1][0] == '\0' || fcntl(kAnswerFile, F_GETFD) < 0) {
    dprintf(STDERR_FILENO, "%s: nestbind starts this program to read a machine\n", kReaderFile);
    return 2;
  }
  limit_this_process();
  // What was allocated is not given back piece by piece, nor looked for.
  _exit(write_all(answer_to(argv[1])) ? 0 : 1);
}
