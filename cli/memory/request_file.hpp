// SPDX-License-Identifier: BSD-3-Clause
// The file by which a watched process is asked (memory/request.hpp), and waiting for its answer.
#pragma once

#include <csignal>
#include <cstddef>
#include <string>

#include "memory/request.hpp"

namespace nestbind::cli::memory {

// There until this is gone. It is locked: who else asks waits for that, and takes away only what
// somebody has left who was killed.
class RequestFile {
 public:
  // user: whom the process runs as. process: its number, as it knows it itself.
  RequestFile(unsigned user, int process);
  ~RequestFile();
  RequestFile(const RequestFile&) = delete;
  RequestFile& operator=(const RequestFile&) = delete;

  // Whether it is there now; if not, errno says why: EAGAIN where somebody else asks.
  bool make();

  bool is_made() const { return file_ >= 0; }
  const char* name() const { return name_; }

  // The whole answer, which ends with a line's end; empty: not yet.
  std::string answer() const;

  // Whether who was asked has taken the request, and has it open no more: what answer() tells from
  // now on is all that comes. False also where that cannot be known.
  bool is_let_go() const;

  // Of a request that was let go without an answer: how much of one is there; and whether there is
  // no room for more.
  std::size_t written() const { return contents().size(); }
  bool is_full() const;

 private:
  std::string contents() const;
  bool is_request() const;
  bool is_there() const;
  bool remove_left();
  bool give_to_user() const;
  void close_file(bool with_name);

  const unsigned user_;
  char name_[nestbind::memory::kMostRequest];
  int file_ = -1;
};

// Pauses that a signal ends which would end us: that waits until this is gone. One that we ignore
// ends nothing.
class Pauses {
 public:
  Pauses();
  ~Pauses();
  Pauses(const Pauses&) = delete;
  Pauses& operator=(const Pauses&) = delete;

  // Some hundredths of a second. False: a signal has come.
  bool pause();

 private:
  sigset_t ending_;
  sigset_t before_;
  int signal_ = 0;
};

}  // namespace nestbind::cli::memory
