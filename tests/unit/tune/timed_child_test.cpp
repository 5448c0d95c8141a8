// SPDX-License-Identifier: BSD-3-Clause
#include "cli/tune/timed_child.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cerrno>

using namespace nestbind::cli::tune;
using How = Ended::How;

namespace {

Ended run(const std::string& script, double patience = 0, int number = 0) {
  Children children;
  const Start start = {{"sh", "-c", script},
                       {"PATH=/usr/bin:/bin", "NAME=value"},
                       "/dev/null",
                       "/dev/null",
                       "/dev/null"};
  const auto tick = [&] {
    if (number != 0) {
      raise(number);
      number = 0;
    }
  };
  return children.run(start, patience, tick);
}

}  // namespace

TEST_CASE("the way in which a program ends is reported") {
  CHECK(run("exit 0").how == How::kExited);
  CHECK(run("exit 7").number == 7);
  CHECK(run("test $NAME = value && test -z \"$HOME\"").number == 0);
  CHECK(run("kill -TERM $$").how == How::kSignalled);
  CHECK(run("kill -TERM $$").number == SIGTERM);
  CHECK(run("exit 0").seconds > 0);
}

TEST_CASE("a program gets its three standard files even if this process has none") {
  int kept[3];
  for (int i = 0; i < 3; ++i) {
    kept[i] = fcntl(i, F_DUPFD_CLOEXEC, 3);
    close(i);
  }
  const Ended ended = run("for i in 0 1 2; do test -e /proc/self/fd/$i || exit 1$i; done");
  for (int i = 0; i < 3; ++i) {
    dup2(kept[i], i);
    close(kept[i]);
  }
  CHECK(ended.how == How::kExited);
  CHECK(ended.number == 0);
}

TEST_CASE("the reason is given if a program cannot be started") {
  Children children;
  const Ended nowhere =
      children.run({{"/nowhere"}, {}, "/dev/null", "/dev/null", "/dev/null"}, 0, [] {});
  CHECK(nowhere.how == How::kNotStarted);
  CHECK(nowhere.number == ENOENT);
  const Ended no_input =
      children.run({{"true"}, {}, "/nowhere", "/dev/null", "/dev/null"}, 0, [] {});
  CHECK(no_input.how == How::kNotStarted);
  CHECK(no_input.number == ENOENT);
}

TEST_CASE("a program that takes too long is ended, even if it ignores SIGTERM") {
  CHECK(run("sleep 100", 0.1).how == How::kTimedOut);
  CHECK(run("trap '' TERM; while :; do sleep 1; done", 0.1).how == How::kTimedOut);
}

TEST_CASE("a signal ends the child process, and is reported") {
  const Ended ended = run("sleep 100", 0, SIGINT);
  CHECK(ended.how == How::kInterrupted);
  CHECK(ended.number == SIGINT);
}

TEST_CASE("an ignored signal stays ignored") {
  struct sigaction ignored{};
  ignored.sa_handler = SIG_IGN;
  struct sigaction before{};
  sigaction(SIGINT, &ignored, &before);
  CHECK(run("exit 3", 0, SIGINT).how == How::kExited);
  sigaction(SIGINT, &before, nullptr);
}
