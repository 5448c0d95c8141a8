// SPDX-License-Identifier: BSD-3-Clause
// Two connected sockets between this process and a child that is to execute a program. The child
// waits until this process lets it go on. exec closes the child's socket, so this process learns
// whether the program was executed.
#pragma once

#include <sys/socket.h>

#include <cerrno>

#include "support/files.hpp"

namespace nestbind::cli {

class ExecGate {
 public:
  // If this fails, is_open() is false and errno says why.
  ExecGate() {
    int ends[2] = {-1, -1};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0) {
      own_.take(ends[0]);
      childs_.take(ends[1]);
    }
  }
  bool is_open() const { return own_.is_open(); }

  // The next two functions are for the child. Both are async-signal-safe. wait() also ends if this
  // process ends.
  void wait() {
    own_.close();
    int unused = 0;
    receive(childs_, unused);
  }
  // exec has failed. `why` is not 0.
  void tell(int why) const { send(childs_.number(), &why, sizeof why, MSG_NOSIGNAL); }

  // The next functions are for this process. Call left() directly after fork.
  void left() { childs_.close(); }
  void open() const { shutdown(own_.number(), SHUT_WR); }
  // Waits until the child has executed the program, or has failed. Returns 0 or what it told.
  int failure() const {
    int why = 0;
    return receive(own_, why) ? why : 0;
  }

 private:
  static bool receive(const support::Descriptor& socket, int& number) {
    ssize_t got = -1;
    do {
      got = recv(socket.number(), &number, sizeof number, MSG_WAITALL);
    } while (got < 0 && errno == EINTR);
    return got == sizeof number;
  }

  support::Descriptor own_;
  support::Descriptor childs_;
};

}  // namespace nestbind::cli
