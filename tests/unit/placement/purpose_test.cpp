// SPDX-License-Identifier: BSD-3-Clause
#include "owner/purpose.hpp"

#include <sys/wait.h>

#include <catch2/catch.hpp>

#include "binding/thread.hpp"
#include "helpers/forks.hpp"
#include "helpers/fresh_process.hpp"
#include "placement/questions.hpp"
#include "process/original_mask.hpp"

using namespace nestbind;
using binding::t_thread;

namespace {

const fresh::Variables kTwo = {{"OMP_NESTING_TEAM_SIZE", "2,scatter"}, {"NESTBIND_QUIET", "1"}};

std::string process_s() { return cpus::text(process::original_mask()); }

std::string kernel_rows(int size = 0, const fake::How& how = {}) {
  return fake::rows(1, {.members = how.members, .size = size}, cpus::in_kernel);
}

struct Here {
  const std::vector<int> numbers = cpus::list(process::original_mask());
  const std::string all = process_s();
  const mask::MaskBuffer first_mask = cpus::of({numbers.front()});
  const mask::MaskBuffer last_mask = cpus::of({numbers.back()});
  const std::string last = std::to_string(numbers.back());
  bool has_two() const { return numbers.size() > 1; }

  // Sets the mask in the kernel. nestbind does not see this call.
  static void set(const mask::MaskBuffer& mask) { REQUIRE(cpus::set_in_kernel(mask.view())); }
  static void set_by(const mask::MaskBuffer& mask, bool by_runtime) {
    set(mask);
    placement::note_mask_set(0, by_runtime, nullptr);
  }
};

}  // namespace

TEST_CASE("a mask set before the first fork is the process's mask") {
  fresh::process(kTwo, [] {
    const Here here;
    Here::set(here.last_mask);
    CHECK(process_s() == here.all);
    CHECK(kernel_rows(2) == here.last + " " + here.last);
    CHECK(process_s() == here.last);
  });
}

TEST_CASE("the next fork follows a mask that the program has set between forks") {
  for (const auto members : {fake::Members::kNew, fake::Members::kKept}) {
    fresh::process(kTwo, [members] {
      const Here here;
      const std::string wide = kernel_rows(2, {.members = members});
      Here::set_by(here.last_mask, false);
      CHECK(kernel_rows(2, {.members = members}) == here.last + " " + here.last);
      CHECK(process_s() == here.last);
      CHECK(kernel_rows(2, {.members = members}) == here.last + " " + here.last);
      Here::set_by(cpus::of(here.numbers), false);
      CHECK(kernel_rows(2, {.members = members}) == wide);
      CHECK(process_s() == here.all);
    });
  }
}

TEST_CASE("a repeated fork does not search for unreported masks") {
  fresh::process(kTwo, [] {
    const Here here;
    kernel_rows(2);
    Here::set(here.last_mask);
    kernel_rows(2);
    CHECK(process_s() == here.all);
  });
}

TEST_CASE("a mask set by an OpenMP runtime is not on purpose") {
  fresh::process(kTwo, [] {
    const Here here;
    Here::set_by(here.last_mask, true);
    const std::string bound = kernel_rows(2);
    CHECK(process_s() == here.all);
    if (here.has_two()) {
      CHECK(bound != here.last + " " + here.last);
    }
  });
}

TEST_CASE("a mask that a member sets in a region is not followed but taken back") {
  fresh::process(kTwo, [] {
    const Here here;
    const std::string before = kernel_rows(2);
    fake::parallel({.size = 2}, [&](int number) {
      if (number == 0) {
        Here::set_by(here.last_mask, false);
      }
    });
    placement::follow_own_mask();
    CHECK(process_s() == here.all);
    CHECK(kernel_rows(2) == before);
  });
}

TEST_CASE("a thread that sets the process's mask returns to its slot") {
  fresh::process(kTwo, [] {
    const Here here;
    const std::string before = kernel_rows(2);
    const std::string slot = cpus::in_kernel();
    Here::set_by(cpus::of(here.numbers), false);
    CHECK(cpus::in_kernel() == slot);
    Here::set_by(here.last_mask, false);
    Here::set_by(cpus::of(here.numbers), false);
    CHECK(cpus::in_kernel() == slot);
    CHECK(kernel_rows(2) == before);
    CHECK(process_s() == here.all);
  });
}

TEST_CASE("another thread's own mask is not the process's mask") {
  fresh::process(kTwo, [] {
    const Here here;
    const std::string before = kernel_rows(2);
    fake::on_new_thread([&] {
      Here::set_by(here.last_mask, false);
      placement::follow_own_mask();
    });
    CHECK(kernel_rows(2) == before);
    CHECK(process_s() == here.all);
  });
}

TEST_CASE("a new owner's own mask becomes the process's mask") {
  fresh::process(kTwo, [] {
    const Here here;
    fake::on_new_thread([&] {
      Here::set_by(here.last_mask, false);
      CHECK(kernel_rows(2) == here.last + " " + here.last);
    });
    CHECK(process_s() == here.last);
  });
}

TEST_CASE("a child process that binds itself follows its own mask") {
  fresh::process(kTwo, [] {
    const Here here;
    kernel_rows(2);
    const pid_t child = fork();
    if (child == 0) {
      Here::set(here.last_mask);  // nestbind sees no call that sets this mask
      const bool is_there = kernel_rows(2) == here.last + " " + here.last;
      _exit(is_there && process_s() == here.last ? 1 : 2);
    }
    int status = -1;
    waitpid(child, &status, 0);
    CHECK(WEXITSTATUS(status) == 1);
    CHECK(process_s() == here.all);
  });
}

TEST_CASE("sizes that are words follow a mask that the program sets") {
  fresh::process({{"OMP_NESTING_TEAM_SIZE", "pu,scatter"}}, [] {
    const Here here;
    kernel_rows();
    CHECK(fake::self(0).next_size == static_cast<int>(here.numbers.size()));
    Here::set_by(here.last_mask, false);
    CHECK(kernel_rows() == here.last);
    CHECK(fake::self(0).next_size == 1);
    Here::set_by(cpus::of(here.numbers), false);
    kernel_rows();
    CHECK(fake::self(0).next_size == static_cast<int>(here.numbers.size()));
  });
}

TEST_CASE("sizes and levels that the program has set stay when its mask changes") {
  fresh::process(kTwo, [] {
    const Here here;
    kernel_rows();
    fake::self(0).next_size = 3;
    fake::self(0).max_active_levels = 5;
    Here::set_by(here.last_mask, false);
    CHECK(kernel_rows() == here.last + " " + here.last + " " + here.last);
    CHECK(fake::self(0).max_active_levels == 5);
  });
}

TEST_CASE("a specification that is set after a mask is planned for that mask") {
  fresh::process({{"NESTBIND_QUIET", "1"}}, [] {
    const Here here;
    Here::set(here.last_mask);
    const std::string text = "2,compact";
    REQUIRE(placement::set_specification(text.data(), text.size()) == 0);
    CHECK(kernel_rows() == here.last + " " + here.last);
  });
}

TEST_CASE("a team of one binds no thread") {
  fresh::process(kTwo, [] {
    const Here here;
    std::string all = here.all;
    std::replace(all.begin(), all.end(), ' ', ',');
    all = here.has_two() ? "{" + all + "}" : all;
    CHECK(kernel_rows(1) == all);
    CHECK(t_thread.bound.bits == nullptr);
    CHECK(cpus::in_kernel() == here.all);
    kernel_rows(2);
    const std::string bound = cpus::in_kernel();
    CHECK(kernel_rows(1) == bound);
    CHECK(t_thread.bound.bits != nullptr);
    CHECK(cpus::in_kernel() == bound);
  });
}

TEST_CASE("a thread is bound by a team of one if the specification has the size 1") {
  fresh::process({{"OMP_NESTING_TEAM_SIZE", "1,scatter,1,scatter,2,subscatter"},
                  {"NESTBIND_MACHINE", fresh::machine("barcelona")}},
                 [] {
                   CHECK(fake::rows(1) == "0");
                   CHECK(fake::rows(2) == "0");
                   CHECK(fake::rows(3) == "0 2");
                   CHECK(fake::rows(2) == "0");
                 });
}
