// SPDX-License-Identifier: BSD-3-Clause
// Where the kernel takes a thread's memory from (set_mempolicy): new threads inherit it.
#pragma once

namespace nestbind::workers {

class MemoryPolicy {
 public:
  // The calling thread's. Returns false where the kernel does not tell. Keeps errno.
  bool read();

  // Makes it the calling thread's. Keeps errno.
  void adopt() const;

 private:
  // As many as the kernel ever has.
  static constexpr unsigned long kNodes = 1024;
  static constexpr unsigned long kBits = 8 * sizeof(unsigned long);

  int mode_ = 0;  // with its flags
  unsigned long nodes_[kNodes / kBits] = {};
};

}  // namespace nestbind::workers
