// SPDX-License-Identifier: BSD-3-Clause
// Root threads divide the machine. The Barcelona has four packages of four cores: 0-3, 4-7 and so
// on.

#include <algorithm>
#include <catch2/catch.hpp>
#include <deque>
#include <thread>

#include "binding/thread.hpp"
#include "helpers/captured.hpp"
#include "helpers/forks.hpp"
#include "helpers/fresh_process.hpp"
#include "owner/roots.hpp"
#include "placement/questions.hpp"
#include "places/place.hpp"
#include "sizes/told_sizes.hpp"

using namespace nestbind;
using binding::t_thread;
using placement::Root;
using placement::Roots;
using placement::Share;

namespace {

fresh::Variables divided(const char* spec, const char* roots = "divide") {
  return {{"OMP_NESTING_TEAM_SIZE", spec},
          {"NESTBIND_ROOTS", roots},
          {"NESTBIND_MACHINE", fresh::machine("barcelona")}};
}

// Records and tables of roots are never freed.
Roots& new_roots() {
  static auto* const tables = new std::deque<Roots>;
  return tables->emplace_back();
}

std::string part_of(const Roots& roots, const Root& root, int fixed = 0) {
  const Share share = roots.share_of(root, fixed, {});
  return std::to_string(share.index) + "/" + std::to_string(share.of);
}

std::string set(const char* text) {
  return std::to_string(placement::set_specification(text, std::char_traits<char>::length(text)));
}

}  // namespace

namespace {

const std::string kUnbound16 = [] {
  std::string text;
  for (int i = 0; i < 16; ++i) {
    text += i == 0 ? "" : " ";
    text += "{0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15}";
  }
  return text;
}();

}  // namespace

TEST_CASE("each live root has a part, in the order of the roots' numbers") {
  Roots& roots = new_roots();
  Root* const a = roots.take();
  CHECK(roots.look(100));
  CHECK_FALSE(roots.look(101));
  CHECK(part_of(roots, *a) == "0/1");
  CHECK(roots.due() == Roots::kNever);
  Root* const b = roots.take();
  Root* const c = roots.take();
  CHECK(roots.look(102));
  CHECK(part_of(roots, *a) + part_of(roots, *b) + part_of(roots, *c) == "0/31/32/3");
  roots.give_back(*b);
  CHECK(roots.look(103));
  CHECK(part_of(roots, *a) + part_of(roots, *c) == "0/21/2");
  CHECK(roots.take() == b);  // the lowest free number
  CHECK(b->number == 1);
}

TEST_CASE("a root is not live after five seconds outside of regions") {
  Roots& roots = new_roots();
  Root* const a = roots.take();
  Root* const b = roots.take();
  roots.look(1000);
  b->outside_since = 1500;
  CHECK_FALSE(roots.look(6499));
  CHECK(roots.due() == 6500);
  CHECK(part_of(roots, *a) == "0/2");
  CHECK(roots.look(6500));
  CHECK(part_of(roots, *a) == "0/1");
  CHECK(roots.due() == Roots::kNever);
  CHECK_FALSE(roots.look(999999));
  b->outside_since = 0;
  CHECK(roots.look(1000000));
  CHECK(part_of(roots, *a) + part_of(roots, *b) == "0/21/2");
  CHECK(roots.due() == 1005000);
}

TEST_CASE("the number of parts may be fixed") {
  Roots& roots = new_roots();
  Root* all[5];
  for (Root*& root : all) {
    root = roots.take();
  }
  roots.look(1);
  CHECK(part_of(roots, *all[0], 4) == "0/4");
  CHECK(part_of(roots, *all[3], 4) == "3/4");
  CHECK(part_of(roots, *all[4], 4) == "0/4");
}

TEST_CASE("roots with the same mask divide it into at most as many parts as processors") {
  const unsigned long bits = 0b110;
  const mask::CpuMask two{sizeof bits, &bits};
  Roots& roots = new_roots();
  Root* const a = roots.take();
  Root* const b = roots.take();
  b->own = two;
  roots.look(1);
  CHECK(roots.share_of(*a, 0, {}) == Share{nullptr, 0, 1});
  CHECK(roots.share_of(*b, 4, {}) == Share{&bits, 0, 1, true});
  for (int i = 0; i < 3; ++i) {
    roots.take()->own = two;
  }
  roots.look(2);
  CHECK(roots.share_of(*b, 0, {}) == Share{&bits, 0, 2, true});
  CHECK(roots.share_of(*b->next->next->next, 0, {}) == Share{&bits, 1, 2, true});
}

TEST_CASE("each root has a part and gets its new part at its next fork") {
  fresh::process(divided("4,scatter"), [] {
    const fresh::Captured said;
    CHECK(fake::rows(1) == "0 4 8 12");
    fake::on_new_thread([] {
      CHECK(fake::rows(1) == "8 10 12 14");
      fake::on_new_thread([] { CHECK(fake::rows(1) == "12 13 14 15"); });
      CHECK(fake::rows(1) == "8 10 12 14");
    });
    CHECK(fake::rows(1) == "0 4 8 12");
    CHECK(said.text().empty());
  });
}

TEST_CASE("inner teams are in their root's part") {
  fresh::process(divided("2,scatter,2,subcompact"), [] {
    fake::rows(1);
    fake::on_new_thread([] { CHECK(fake::rows(2) == "8 9 / 12 13"); });
  });
}

TEST_CASE("a thread becomes a root when it first forks several threads") {
  fresh::process(divided("4,scatter"), [] {
    fake::rows(1);
    fake::on_new_thread([] {
      fake::self(0).next_size = 1;
      fake::rows(1, {.size = 1});
      CHECK(t_thread.root == nullptr);
      fake::on_new_thread([] { CHECK(fake::rows(1) == "8 10 12 14"); });
    });
  });
  fresh::process(divided("1,scatter,4,subscatter"), [] {
    fake::self(0).next_size = 1;
    CHECK(fake::rows(2) == "0 1 2 3");
    CHECK(t_thread.root != nullptr);
    fake::on_new_thread([] {
      fake::self(0).next_size = 1;
      CHECK(fake::rows(2) == "8 9 10 11");
      fake::self(0).next_size = 4;
      CHECK(fake::rows(1, {.size = 1}) == "8");
    });
    CHECK(fake::rows(2) == "0 1 2 3");
  });
}

TEST_CASE("a word has one size for all roots and a team that does not fit is unbound") {
  fresh::process(divided("core,compact"), [] {
    CHECK(fake::rows(1) == "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15");
    fake::on_new_thread([] {
      CHECK(placement::size_at_next_fork(7, &fake::calls(0)) == 16);
      CHECK(t_thread.root == nullptr);  // asking does not make the thread a root
      CHECK(fake::rows(1) == kUnbound16);
      CHECK(t_thread.root != nullptr);
      fake::self(0).next_size = 8;
      CHECK(fake::rows(1) == "8 9 10 11 12 13 14 15");
    });
    CHECK(fake::rows(1) == "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15");
    fake::on_new_thread([] {
      fake::rows(1);
      fake::on_new_thread([] {
        CHECK(placement::size_at_next_fork(7, &fake::calls(0)) == 16);
        fake::rows(1);
        CHECK(fake::self(0).next_size == 16);
      });
    });
    CHECK(placement::size_at_next_fork(16, &fake::calls(0)) == 16);
  });
}

TEST_CASE("with a number of parts a word has its smallest count in the parts") {
  fresh::process(divided("core,compact", "3"), [] {
    CHECK(placement::size_at_next_fork(7, &fake::calls(0)) == 4);
    fake::on_new_thread([] {
      CHECK(placement::size_at_next_fork(7, &fake::calls(0)) == 4);
      CHECK(fake::rows(1) == "0 1 2 3");
    });
  });
}

TEST_CASE("inner words keep the counts that they have in the undivided plan") {
  fresh::process(divided("2,scatter,core,subcompact"), [] {
    CHECK(fake::rows(2) == "0 1 2 3 4 5 6 7 / 8 9 10 11 12 13 14 15");
    fake::on_new_thread([] {
      // Teams of eight have four slots in this part: the seven others run anywhere in the part.
      CHECK(fake::rows(2) ==
            "8 {8,9,10,11,12,13,14,15} {8,9,10,11,12,13,14,15} "
            "{8,9,10,11,12,13,14,15} {8,9,10,11,12,13,14,15} "
            "{8,9,10,11,12,13,14,15} {8,9,10,11,12,13,14,15} "
            "{8,9,10,11,12,13,14,15} / 12 {8,9,10,11,12,13,14,15} "
            "{8,9,10,11,12,13,14,15} {8,9,10,11,12,13,14,15} "
            "{8,9,10,11,12,13,14,15} {8,9,10,11,12,13,14,15} "
            "{8,9,10,11,12,13,14,15} {8,9,10,11,12,13,14,15}");
    });
  });
}

TEST_CASE("a fixed number of parts stays and further roots share the parts") {
  fresh::process(divided("4,scatter", "4"), [] {
    const fresh::Captured said;
    CHECK(fake::rows(1) == "0 1 2 3");
    fake::on_new_thread([] {
      CHECK(fake::rows(1) == "4 5 6 7");
      fake::on_new_thread([] {
        CHECK(fake::rows(1) == "8 9 10 11");
        fake::on_new_thread([] {
          CHECK(fake::rows(1) == "12 13 14 15");
          fake::on_new_thread([] {
            CHECK(fake::rows(1) == "0 1 2 3");
            fake::on_new_thread([] { CHECK(fake::rows(1) == "4 5 6 7"); });
          });
        });
      });
    });
    CHECK(said.text() ==
          "nestbind: warning: there are more root threads than parts (4): "
          "some share a part of the machine\n");
  });
}

TEST_CASE("a specification that one root sets applies to all roots") {
  fresh::process(divided("4,scatter"), [] {
    fake::rows(1);
    fake::on_new_thread([] {
      fake::rows(1);
      CHECK(set("2,compact") == "0");
      CHECK(fake::rows(1) == "8 9");
    });
    CHECK(fake::self(0).next_size == 4);
    CHECK(fake::rows(1) == "0 1");
    fake::on_new_thread([] {
      fake::rows(1);
      CHECK(set("off") == "0");
    });
    CHECK(fake::rows(1, {.size = 1}) == "{0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15}");
  });
}

TEST_CASE("new roots reuse the parts and plans and records of roots that have ended") {
  fresh::process(divided("2,scatter"), [] {
    fake::rows(1);
    static const Root* root = nullptr;
    static const placement::PlanInForce* plan = nullptr;
    for (int i = 0; i < 1000; ++i) {
      fake::rows(1);  // the region keeps this thread's part, even if the test takes long
      fake::on_new_thread([&] {
        fake::rows(1);
        const auto* const used = t_thread.root_place->plan;
        CHECK((i == 0 || (t_thread.root == root && used == plan)));
        root = t_thread.root;
        plan = used;
      });
    }
    CHECK(root->number == 1);
  });
}

TEST_CASE("a thread that uses two runtimes is one root") {
  fresh::process(divided("4,scatter"), [] {
    fake::rows(1, {.runtime = 0});
    fake::on_new_thread([] {
      CHECK(fake::rows(1, {.runtime = 1}) == "8 10 12 14");
      CHECK(fake::rows(1, {.runtime = 0}) == "8 10 12 14");
      CHECK(fake::rows(1, {.runtime = 1}) == "8 10 12 14");
      CHECK(t_thread.root->number == 1);
    });
  });
}

namespace {

// A runtime's initial setting is this machine's number of processors.
const int kUsual = std::max(2, static_cast<int>(std::thread::hardware_concurrency()));

fresh::Variables automatic(const char* threads = "") {
  return {{"OMP_NESTING_TEAM_SIZE", "auto"},
          {"OMP_NUM_THREADS", threads},
          {"NESTBIND_MACHINE", fresh::machine("barcelona")}};
}

int told() { return placement::size_at_next_fork(fake::self(0).next_size, &fake::calls(0)); }

}  // namespace

TEST_CASE("with auto roots divide and no size changes") {
  fresh::process(automatic(), [] {
    fake::self(0).next_size = kUsual;
    CHECK(told() == kUsual);
    fake::rows(1);
    fake::on_new_thread([] {
      fake::self(0).next_size = kUsual;
      CHECK(told() == kUsual);
      CHECK(t_thread.root == nullptr);
      CHECK(fake::rows(1, {.size = 8}) == "8 9 10 11 12 13 14 15");
      fake::on_new_thread([] {
        fake::self(0).next_size = kUsual;
        CHECK(fake::rows(1, {.size = 4}) == "12 13 14 15");
        CHECK(told() == kUsual);
      });
      CHECK(told() == kUsual);
    });
    CHECK(told() == kUsual);
    fake::rows(1);
    CHECK(fake::self(0).next_size == kUsual);
  });
}

TEST_CASE("with a number of parts auto sets the size of a part unless somebody asked for a size") {
  const auto in_parts = [](const char* threads) {
    fresh::Variables variables = automatic(threads);
    variables.push_back({"NESTBIND_ROOTS", "3"});
    return variables;
  };
  fresh::process(in_parts(""), [] {
    fake::self(0).next_size = kUsual;
    CHECK(told() == 5);
    CHECK(fake::rows(1) == "0 2 3 4 6");  // its part has two packages
    fake::on_new_thread([] {
      fake::self(0).next_size = kUsual;
      CHECK(told() == 5);
      fake::self(0).next_size = 4;
      CHECK(fake::rows(1) == "8 9 10 11");
    });
  });
  fresh::process(in_parts("7"), [] { CHECK(told() == 7); });
}

TEST_CASE("with auto the program's own sizes stay") {
  fresh::process(automatic("3"), [] {
    fake::self(0).next_size = 3;
    fake::rows(1);
    fake::on_new_thread([] {
      fake::self(0).next_size = 3;
      CHECK(told() == 3);
      CHECK(fake::rows(1) == "8 10 12");
    });
  });
  fresh::process(automatic(), [] {
    fake::self(0).next_size = kUsual;
    fake::rows(1);
    fake::on_new_thread([] {
      placement::program_chose_size();
      fake::self(0).next_size = 5;
      CHECK(told() == 5);
      CHECK(fake::rows(1) == "8 10 11 12 14");
    });
    fake::on_new_thread([] { CHECK(fake::rows(1, {.size = 2}) == "8 12"); });
  });
}

TEST_CASE("an explicit value of NESTBIND_ROOTS wins over auto") {
  fresh::process({{"OMP_NESTING_TEAM_SIZE", "auto"},
                  {"NESTBIND_ROOTS", "first"},
                  {"NESTBIND_QUIET", "1"},
                  {"NESTBIND_MACHINE", fresh::machine("barcelona")}},
                 [] {
                   fake::rows(1);
                   fake::on_new_thread([] {
                     fake::rows(1);
                     CHECK(t_thread.root == nullptr);
                   });
                 });
}

TEST_CASE("a program may change to auto and back between forks") {
  fresh::process({{"OMP_NESTING_TEAM_SIZE", "2,scatter"},
                  {"NESTBIND_QUIET", "1"},
                  {"NESTBIND_MACHINE", fresh::machine("barcelona")}},
                 [] {
                   CHECK(fake::rows(1) == "0 8");
                   CHECK(set("auto") == "0");
                   fake::rows(1);
                   fake::on_new_thread([] {
                     CHECK(fake::rows(1, {.size = 4}) == "8 10 12 14");
                     CHECK(set("2,scatter") == "0");
                   });
                   CHECK(fake::rows(1) == "0 8");
                   fake::on_new_thread([] { CHECK(fake::rows(1).length() > 20); });
                 });
}
