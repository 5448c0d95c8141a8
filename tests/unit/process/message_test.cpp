// SPDX-License-Identifier: BSD-3-Clause
#include "process/message.hpp"

#include <errno.h>
#include <signal.h>

#include <array>
#include <catch2/catch.hpp>

#include "helpers/captured.hpp"
#include "helpers/fresh_process.hpp"
#include "process/rank.hpp"

using namespace nestbind::process;

TEST_CASE("a message is one line with a prefix") {
  fresh::process({}, [] {
    const fresh::Captured said;
    errno = ELOOP;
    say(Severity::kWarning, "%d threads", 3);
    say(Severity::kError, "no %s\n", "machine");
    CHECK(errno == ELOOP);
    CHECK(said.text() == "nestbind: warning: 3 threads\nnestbind: no machine\n");
  });
}

TEST_CASE("a long message is cut") {
  fresh::process({}, [] {
    const fresh::Captured said;
    say(Severity::kError, "%s", std::string(5000, 'x').c_str());
    CHECK(said.text().size() <= 2048);
    CHECK(said.text().back() == '\n');
    CHECK(said.text().find("xx\n") != std::string::npos);
  });
}

TEST_CASE("warnings can be turned off but errors cannot") {
  fresh::process({}, [] {
    const fresh::Captured said;
    tell_warnings(false);
    say(Severity::kWarning, "nothing");
    say(Severity::kError, "all");
    tell_warnings(true);
    say(Severity::kWarning, "again");
    CHECK(said.text() == "nestbind: all\nnestbind: warning: again\n");
  });
}

TEST_CASE("the user can turn warnings off before the settings are read") {
  fresh::process({{"NESTBIND_QUIET", "1"}}, [] {
    const fresh::Captured said;
    say(Severity::kWarning, "nothing");
    say(Severity::kError, "all");
    CHECK(said.text() == "nestbind: all\n");
  });
}

TEST_CASE("a closed pipe does not end the program") {
  fresh::process({}, [] {
    std::array<int, 2> ends{};
    REQUIRE(pipe(ends.data()) == 0);
    CHECK(write_all(ends[1], "abc", 3));
    close(ends[0]);
    errno = ELOOP;
    CHECK_FALSE(write_all(ends[1], "abc", 3));
    CHECK(errno == ELOOP);
    sigset_t pending;
    sigpending(&pending);
    CHECK(sigismember(&pending, SIGPIPE) == 0);
  });
}

TEST_CASE("a signal that the program blocks stays pending") {
  fresh::process({}, [] {
    sigset_t pipe_signal;
    sigemptyset(&pipe_signal);
    sigaddset(&pipe_signal, SIGPIPE);
    sigprocmask(SIG_BLOCK, &pipe_signal, nullptr);
    raise(SIGPIPE);
    CHECK_FALSE(write_all(-1, "abc", 3));
    sigset_t pending;
    sigpending(&pending);
    CHECK(sigismember(&pending, SIGPIPE) == 1);
  });
}

TEST_CASE("the rank comes from the first launcher that reports it") {
  fresh::process({}, [] { CHECK(told_rank() == nullptr); });
  fresh::process({{"SLURM_PROCID", "5"}}, [] { CHECK(std::string(told_rank()) == "5"); });
  fresh::process({{"SLURM_PROCID", "5"}, {"PMIX_RANK", "3"}, {"PMI_RANK", "4"}},
                 [] { CHECK(std::string(told_rank()) == "3"); });
  fresh::process({{"SLURM_PROCID", "5"}, {"PMIX_RANK", ""}},
                 [] { CHECK(std::string(told_rank()) == "5"); });
}
