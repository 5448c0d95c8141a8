// SPDX-License-Identifier: BSD-3-Clause
// Tests the team sizes that nestbind sets in the runtime's settings.
#include <catch2/catch.hpp>
#include <vector>

#include "helpers/forks.hpp"
#include "helpers/fresh_process.hpp"
#include "omp/runtimes.hpp"
#include "placement/questions.hpp"
#include "sizes/told_sizes.hpp"
#include "team/fork.hpp"

using namespace nestbind;
using namespace nestbind::placement;

namespace {

fresh::Variables sized(const char* spec, const char* sizes = "set") {
  return {{"OMP_NESTING_TEAM_SIZE", spec},
          {"NESTBIND_MACHINE", fresh::machine("barcelona")},
          {"NESTBIND_TEAM_SIZES", sizes},
          {"NESTBIND_QUIET", "1"}};
}

const int kUnset = 7;  // the initial value in a fake runtime

}  // namespace

TEST_CASE("a runtime gets the first team's size and the levels when it starts") {
  fresh::process(sized("3,scatter,2,subscatter"), [] {
    CHECK(nestbind::omp::started(0) == nullptr);
    runtime_started(fake::calls(0));
    CHECK(nestbind::omp::started(0) == &fake::calls(0));
    CHECK(fake::self(0).next_size == 3);
    CHECK(fake::self(0).max_active_levels == 2);
    CHECK(fake::self(1).next_size == kUnset);
  });
}

TEST_CASE("a symbolic size is known when the runtime starts") {
  fresh::process(sized("numa,scatter,core,subcompact"), [] {
    runtime_started(fake::calls(0));
    CHECK(fake::self(0).next_size == 4);
    fake::Seen seen;
    fake::parallel({}, [&](int) { seen.note(std::to_string(fake::self(0).next_size)); });
    CHECK(seen.rows() == "4 4 4 4");
  });
}

TEST_CASE("the first fork sets the sizes if the start was not reported") {
  fresh::process(sized("4,scatter,2,subscatter"), [] {
    fake::Seen seen;
    fake::parallel({}, [&](int) { seen.note(std::to_string(fake::self(0).next_size)); });
    CHECK(seen.rows() == "2 2 2 2");
    CHECK(fake::self(0).next_size == 4);
    CHECK(fake::self(0).max_active_levels == 2);
  });
}

TEST_CASE("the runtime's sizes stay beyond the levels of the specification") {
  fresh::process(sized("2,scatter"), [] {
    fake::Seen seen;
    fake::parallel({}, [&](int) { seen.note(std::to_string(fake::self(0).next_size)); });
    CHECK(seen.rows() == "2 2");
  });
}

// With a smaller size, LLVM's runtime also changes its count of the region's threads.
TEST_CASE("in a region of one thread LLVM's runtime gets the next size at the fork") {
  fresh::process(sized("4,scatter,2,subscatter,3,subcompact"), [] {
    nestbind::omp::Calls llvm = fake::calls(0);
    llvm.is_llvm = true;
    runtime_started(llvm);
    team::Team* outside = team::fork_begin(llvm, nullptr, 1);
    team::member_begin(outside, 0, 1);
    CHECK(fake::self(0).next_size == 4);
    CHECK(size_at_next_fork(4, nullptr) == 2);
    team::Team* outer = team::fork_begin(llvm, nullptr, 1);
    CHECK(fake::self(0).next_size == 4);
    team::member_begin(outer, 0, 1);
    CHECK(size_at_next_fork(4, nullptr) == 3);
    team::member_end(outer, 0);
    CHECK(size_at_next_fork(4, nullptr) == 2);
    team::Team* again = team::fork_begin(llvm, nullptr, 4);
    CHECK(fake::self(0).next_size == 2);
    CHECK(size_at_next_fork(2, nullptr) == 2);
    team::member_begin(again, 0, 2);  // The team is active. Outer teams keep their size.
    CHECK(fake::self(0).next_size == 3);
    team::member_end(again, 0);
    CHECK(size_at_next_fork(2, nullptr) == 2);
    team::fork_begin(llvm, nullptr, 5);
    CHECK(fake::self(0).next_size == 3);
    team::member_end(outside, 0);
    CHECK(size_at_next_fork(7, nullptr) == fake::self(0).next_size);
  });
  fresh::process(sized("4,scatter,2,subscatter,3,subcompact"), [] {
    static std::vector<int> set;
    nestbind::omp::Calls llvm = fake::calls(0);
    llvm.is_llvm = true;
    llvm.set_num_threads = [](int size) {
      set.push_back(size);
      fake::self(0).next_size = size;
    };
    runtime_started(llvm);
    team::Team* outside = team::fork_begin(llvm, nullptr, 1);
    team::member_begin(outside, 0, 1);
    team::Team* outer = team::fork_begin(llvm, nullptr, 4);
    team::member_begin(outer, 0, 1);
    CHECK(set == std::vector{4, 2, 1, 2});
  });
  fresh::process(sized("4,scatter,2,subscatter"), [] {
    nestbind::omp::Calls llvm = fake::calls(0);
    llvm.is_llvm = true;
    team::Team* outside = team::fork_begin(llvm, nullptr, 1);
    team::member_begin(outside, 0, 1);
    program_chose_size();
    fake::self(0).next_size = 5;
    CHECK(size_at_next_fork(5, nullptr) == 5);
    team::fork_begin(llvm, nullptr, 5);
    CHECK(fake::self(0).next_size == 5);
  });
}

TEST_CASE("a size that the program chooses wins") {
  fresh::process(sized("4,scatter,4,subscatter"), [] {
    fake::Seen sizes;
    fake::parallel({.size = 2}, [&](int number) {
      fake::self(0).next_size = number == 1 ? 3 : fake::self(0).next_size;
      fake::parallel({}, [&](int) { sizes.note(cpus::told()); });
    });
    CHECK(sizes.rows() == "0 1 2 3 / 8 10 11");
  });
  fresh::process(sized("4,scatter"), [] {
    fake::on_new_thread([] {  // another thread chooses a size before its first fork
      program_chose_size();
      fake::self(0).next_size = 2;
      CHECK(fake::rows(1) == "0 8");
      CHECK(fake::self(0).max_active_levels == 1);
    });
  });
}

TEST_CASE("sizes are not set if the user does not want it") {
  fresh::process(sized("4,scatter,4,subscatter", "ignore"), [] {
    runtime_started(fake::calls(0));
    CHECK(fake::self(0).next_size == kUnset);
    CHECK(fake::self(0).max_active_levels == 1);
    CHECK(fake::rows(1, {.size = 4}) == "0 4 8 12");
    fake::Seen seen;
    fake::parallel({.size = 2}, [&](int) { seen.note(std::to_string(fake::self(0).next_size)); });
    CHECK(seen.rows() == "7 7");
    CHECK(fake::self(0).max_active_levels == 1);
  });
}

TEST_CASE("a question before the first fork gets the specification's size in each thread") {
  fresh::process(sized("3,scatter"), [] {
    CHECK(size_at_next_fork(kUnset, &fake::calls(0)) == 3);
    CHECK(fake::self(0).next_size == 3);
    fake::self(0).next_size = 2;  // set unseen
    CHECK(size_at_next_fork(2, &fake::calls(0)) == 2);
    CHECK(size_at_next_fork(kUnset, &fake::calls(1)) == 3);  // once for each runtime
    fake::on_new_thread([] { CHECK(size_at_next_fork(kUnset, &fake::calls(0)) == 3); });
  });
  fresh::process(sized("3,scatter"), [] {
    program_chose_size();
    CHECK(size_at_next_fork(kUnset, &fake::calls(0)) == kUnset);
    fake::on_new_thread([] { CHECK(size_at_next_fork(kUnset, &fake::calls(0)) == 3); });
    fake::self(0).path.push_back({0, 1});
    CHECK(size_at_next_fork(kUnset, &fake::calls(1)) == kUnset);
  });
}

TEST_CASE(
    "a specification that is set later is told to all threads and wins over earlier choices") {
  fresh::process(sized("3,scatter"), [] {
    runtime_found(fake::calls(0));
    program_chose_size();
    fake::self(0).next_size = 6;
    CHECK(fake::rows(1).size() > 8);
    CHECK(set_specification("2,scatter", 9) == 0);
    CHECK(fake::self(0).next_size == 2);
    fake::on_new_thread([] { CHECK(size_at_next_fork(kUnset, &fake::calls(0)) == 2); });
    program_chose_size();
    fake::self(0).next_size = 6;
    CHECK(size_at_next_fork(6, &fake::calls(0)) == 6);
  });
}

TEST_CASE("a size that was set unseen before the runtime was found wins") {
  fresh::process(sized("4,scatter,2,subcompact"), [] {
    fake::self(0).next_size = 3;
    runtime_found(fake::calls(0));
    CHECK(fake::self(0).next_size == 3);
    CHECK(fake::self(0).max_active_levels == 2);
    CHECK(fake::rows(2) == "0 1 / 8 9 / 12 13");
    runtime_found(fake::calls(1));
    CHECK(fake::self(1).next_size == 4);
  });
  fresh::process(sized("4,scatter,2,subcompact"), [] {
    fake::on_new_thread([] {
      fake::self(0).next_size = 3;
      CHECK(fake::rows(2) == "0 1 / 8 9 / 12 13");
    });
  });
}

TEST_CASE("a runtime's first sizes follow from its variables") {
  using namespace nestbind::omp;
  fresh::process({{"OMP_NUM_THREADS", "6, 3"}}, [] {
    CHECK(usual_threads(0) == 6);
    CHECK(usual_threads(1) == 3);
    CHECK(usual_threads(5) == 3);
    CHECK(usual_levels() > 2);
    CHECK(is_usual(6));
    CHECK_FALSE(is_usual(3));
    setenv("OMP_NUM_THREADS", "5", 1);
    CHECK((is_usual(5) && is_usual(6)));
  });
  const int all = nestbind::mask::count(cpus::kernel().view());
  for (const char* none : {"", "four", "0", "4,", "-1"}) {
    fresh::process({{"OMP_NUM_THREADS", none}, {"OMP_MAX_ACTIVE_LEVELS", ""}}, [&] {
      CHECK(usual_threads(0) == all);
      CHECK(usual_levels() == (none == std::string("4,") ? usual_levels() : 1));
    });
  }
  fresh::process({{"OMP_NESTED", "TRUE"}}, [] { CHECK(usual_levels() > 2); });
  fresh::process({{"OMP_MAX_ACTIVE_LEVELS", "3"}, {"OMP_NESTED", "false"}},
                 [] { CHECK(usual_levels() == 3); });
  fresh::process({{"OMP_MAX_ACTIVE_LEVELS", "0"}, {"OMP_NUM_THREADS", "2,2"}}, [] {
    CHECK(usual_levels() == 0);
    install_usual_sizes(fake::calls(0), 1);
    CHECK(fake::self(0).max_active_levels == 0);
  });
}

TEST_CASE("without a specification no size is set") {
  fresh::process({}, [] {
    runtime_started(fake::calls(0));
    const std::string before = cpus::in_kernel();
    CHECK(fake::rows(1, {.size = 1}) == "{" + [&] {
      std::string text = before;
      for (char& letter : text) {
        letter = letter == ' ' ? ',' : letter;
      }
      return text;
    }() + "}");
    CHECK(fake::self(0).next_size == kUnset);
    CHECK(fake::self(0).max_active_levels == 1);
  });
}

TEST_CASE("the levels are restored if no plan can be made") {
  fresh::process({{"OMP_NESTING_TEAM_SIZE", "2,scatter,2,subscatter"},
                  {"NESTBIND_MACHINE", "/no/such/machine.xml"}},
                 [] {
                   runtime_started(fake::calls(0));
                   CHECK(fake::self(0).max_active_levels == 2);
                   fake::rows(1);
                   CHECK(fake::self(0).max_active_levels == 1);
                 },
                 {.says = "the threads are not bound"});
}
