// SPDX-License-Identifier: BSD-3-Clause
#include <dlfcn.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <limits>
#include <mutex>
#include <type_traits>

#include "helpers/captured.hpp"
#include "helpers/fake_omp.hpp"
#include "helpers/fresh_process.hpp"
#include "instrument/kmpc/kmpc_straight.hpp"
#include "omp/runtimes.hpp"
#include "runtime_library.hpp"
#include "team/fork.hpp"
#include "worksharing/schedule_in_force.hpp"
#include "worksharing/shared_team.hpp"

using namespace nestbind;
using fake_kmpc::calls;

namespace {

struct Ident {
  std::int32_t reserved = 0;
  std::int32_t flags = 2;
};

}  // namespace

// NOLINTBEGIN(readability-identifier-naming,bugprone-reserved-identifier)
#define LOOP_OF(suffix, Value, Step)                                                               \
  extern "C" void __kmpc_dispatch_init_##suffix(const Ident*, int, int, Value, Value, Step, Step); \
  extern "C" int __kmpc_dispatch_next_##suffix(const Ident*, int, int*, Value*, Value*, Step*);    \
  extern "C" void __kmpc_dispatch_fini_##suffix(const Ident*, int);                                \
  static void init(const Ident* ident, int schedule, Value first, Value last, Step step,           \
                   Step chunk) {                                                                   \
    __kmpc_dispatch_init_##suffix(ident, 0, schedule, first, last, step, chunk);                   \
  }                                                                                                \
  static int next(int* has_last, Value* first, Value* last, Step* step) {                          \
    return __kmpc_dispatch_next_##suffix(nullptr, 0, has_last, first, last, step);                 \
  }
LOOP_OF(4, std::int32_t, std::int32_t)
LOOP_OF(4u, std::uint32_t, std::int32_t)
LOOP_OF(8, std::int64_t, std::int64_t)
LOOP_OF(8u, std::uint64_t, std::int64_t)
extern "C" void __kmpc_dispatch_deinit(const Ident*, int);
extern "C" void __kmpc_doacross_init(const Ident*, int, int, const void*);
extern "C" void __kmpc_doacross_fini(const Ident*, int);
extern "C" void __kmpc_barrier(const Ident*, int);
extern "C" int __kmpc_cancel_barrier(const Ident*, int);
// NOLINTEND(readability-identifier-naming,bugprone-reserved-identifier)

namespace {

const fresh::Variables kHybrid = {{"NESTBIND_SCHEDULE", "hybrid,f=0,chunk=2"}};
const fresh::Variables kAllLoops = {{"NESTBIND_SCHEDULE", "hybrid,f=0,chunk=2,loops=all"}};
constexpr int kRuntimeLoop = 37;
constexpr int kDynamicLoop = 35;
constexpr int kGuidedLoop = 36;
constexpr int kMonotonicBit = 1 << 29;
constexpr int kNonmonotonicBit = 1 << 30;
constexpr int kUntouched = 77;

const omp::Calls& runtime() {
  return kmpc::runtime_of(reinterpret_cast<const void*>(&calls))->calls;
}

// Forks a team, and reports it as instrument/ompt does. The members run one after the other.
void in_team(int size, const std::function<void(int)>& body) {
  team::Team* told = team::fork_begin(runtime(), nullptr, static_cast<unsigned>(size));
  team::Member* const outside = told->from;
  fake::Thread& thread = fake::self(0);
  for (int number = size - 1; number >= 0; --number) {
    thread.path.push_back({number, size});
    team::member_begin(told, number, size);
    body(number);
    team::member_end(told, number);
    thread.path.pop_back();
  }
  CHECK(team::t_here.member == outside);
}

// Returns the calls that have reached the runtime since the last call of this function.
std::vector<std::string> names() {
  std::vector<std::string> found;
  for (const fake_kmpc::Call& call : calls()) {
    found.push_back(call.name);
  }
  return found;
}
using Names = std::vector<std::string>;

template <typename Value>
struct Piece {
  Value first;
  Value last;
  int has_last;
};

template <typename Value>
std::vector<Piece<Value>> rest_of_loop(std::make_signed_t<Value> step) {
  std::vector<Piece<Value>> pieces;
  Piece<Value> piece{};
  std::make_signed_t<Value> told = 0;
  piece.has_last = kUntouched;
  while (next(&piece.has_last, &piece.first, &piece.last, &told) != 0) {
    CHECK(told == step);
    pieces.push_back(piece);
    piece.has_last = kUntouched;
  }
  CHECK(piece.has_last == kUntouched);
  return pieces;
}

// Each value must come once, in the order of the loop. One member gets the flag of the last
// iteration, with its last piece.
template <typename Value>
void check_loop(Value first, Value last, std::make_signed_t<Value> step) {
  std::vector<Value> found;
  int with_last = 0;
  in_team(3, [&](int) {
    init(nullptr, kRuntimeLoop, first, last, step, static_cast<std::make_signed_t<Value>>(1));
    const auto pieces = rest_of_loop<Value>(step);
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      for (Value value = pieces[i].first;; value = static_cast<Value>(value + step)) {
        found.push_back(value);
        if (value == pieces[i].last) {
          break;
        }
      }
      if (pieces[i].has_last != 0) {
        CHECK(i + 1 == pieces.size());
        ++with_last;
      }
    }
  });
  std::sort(found.begin(), found.end());
  if (step < 0) {
    std::reverse(found.begin(), found.end());
  }
  const auto distance = static_cast<std::uint64_t>(step > 0 ? last - first : first - last);
  const auto size = static_cast<std::uint64_t>(step > 0 ? step : -step);
  REQUIRE(found.size() == distance / size + 1);
  Value value = first;
  for (const Value& each : found) {
    CHECK(each == value);
    value = static_cast<Value>(value + step);
  }
  CHECK(with_last == 1);
  CHECK(names().empty());
}

bool opens_at(int schedule, const Ident& ident, std::int32_t first) {
  bool is_right = false;
  in_team(2, [&](int number) {
    init(&ident, schedule, 0, 99, 1, 1);
    const auto pieces = rest_of_loop<std::int32_t>(1);
    if (number == 1) {
      is_right = !pieces.empty() && pieces[0].first == first;
    }
  });
  return is_right;
}

}  // namespace

TEST_CASE("without a schedule calls go directly to the runtime") {
  fresh::process({}, [] {
    const int entry = kmpc::entry_of("__kmpc_dispatch_init_4");
    CHECK(kmpc::g_straight[entry].load() == nullptr);
    init(nullptr, kRuntimeLoop, 3, 9, 2, 5);
    CHECK(kmpc::g_straight[entry].load() == dlsym(RTLD_NEXT, "__kmpc_dispatch_init_4"));
    init(nullptr, kDynamicLoop, std::uint64_t{3}, std::uint64_t{9}, std::int64_t{2},
         std::int64_t{5});
    init(nullptr, kDynamicLoop, std::uint64_t{3}, std::uint64_t{9}, std::int64_t{2},
         std::int64_t{5});
    const auto came = calls();
    REQUIRE(came.size() == 3);
    CHECK(came[0].name == "dispatch_init_4");
    CHECK(came[2].name == "dispatch_init_8u");
    CHECK(came[2].schedule == kDynamicLoop);
    CHECK(came[2].numbers == std::vector<std::int64_t>{3, 9, 2, 5});
    const auto pieces = rest_of_loop<std::int32_t>(1);
    REQUIRE(pieces.size() == 1);
    CHECK(pieces[0].last == 2);
    CHECK(__kmpc_cancel_barrier(nullptr, 0) == 1);
    __kmpc_barrier(nullptr, 0);
    __kmpc_dispatch_deinit(nullptr, 0);
    CHECK(names() == Names{"dispatch_next_4", "dispatch_next_4", "cancel_barrier", "barrier"});
  });
}

TEST_CASE("the runtime sees no call of a loop that nestbind shares out") {
  fresh::process(kHybrid, [] {
    using I = std::numeric_limits<std::int32_t>;
    using U = std::numeric_limits<std::uint64_t>;
    check_loop<std::int32_t>(0, 99, 1);
    check_loop<std::int32_t>(I::min(), I::min() + 100, 3);
    check_loop<std::int32_t>(I::max(), I::max() - 100, -7);
    check_loop<std::uint32_t>(0xffffff00U, 0xffffffffU, 5);
    check_loop<std::uint32_t>(200, 0, -1);
    check_loop<std::int64_t>(-50, 50, 1);
    check_loop<std::uint64_t>(U::max() - 300, U::max(), 2);
    check_loop<std::uint64_t>((U::max() >> 1) + 40, (U::max() >> 1) - 40, -1);
  });
}

TEST_CASE("nestbind handles an empty loop and gives no iteration") {
  fresh::process(kHybrid, [] {
    in_team(2, [](int) {
      init(nullptr, kRuntimeLoop, 5, 4, 1, 1);
      CHECK(rest_of_loop<std::int32_t>(1).empty());
    });
    CHECK(names().empty());
  });
}

TEST_CASE("only the ends of the runtime's own loops are passed on") {
  fresh::process(kHybrid, [] {
    in_team(2, [](int) {
      init(nullptr, kRuntimeLoop, 0, 9, 1, 1);
      rest_of_loop<std::int32_t>(1);
      __kmpc_dispatch_deinit(nullptr, 0);
      init(nullptr, kRuntimeLoop, 0, 9, 1, 1);  // the program cancels this loop
      __kmpc_dispatch_fini_4(nullptr, 0);
      __kmpc_dispatch_deinit(nullptr, 0);
      init(nullptr, kRuntimeLoop, 0, 9, 1, 1);  // this loop is cancelled before any other call
      __kmpc_barrier(nullptr, 0);
      CHECK(names() == Names{"barrier"});
      init(nullptr, kDynamicLoop, 0, 9, 1, 1);
      __kmpc_dispatch_fini_4(nullptr, 0);
      rest_of_loop<std::int32_t>(1);
      CHECK(names() ==
            Names{"dispatch_init_4", "dispatch_fini_4", "dispatch_next_4", "dispatch_next_4"});
    });
  });
}

TEST_CASE("after a cancelled loop the runtime gets the loops that it shares itself") {
  fresh::process(kHybrid, [] {
    in_team(2, [](int) {
      for (const bool is_cancel_barrier : {true, false}) {
        init(nullptr, kRuntimeLoop, 0, 9, 1, 1);
        std::int32_t first = 0;
        std::int32_t last = 0;
        next(nullptr, &first, &last, static_cast<std::int32_t*>(nullptr));
        if (is_cancel_barrier) {
          __kmpc_cancel_barrier(nullptr, 0);
        } else {
          __kmpc_barrier(nullptr, 0);
        }
        calls();
        next(nullptr, &first, &last, static_cast<std::int32_t*>(nullptr));
        CHECK(names() == Names{"dispatch_next_4"});
      }
    });
  });
}

TEST_CASE("loops of other kinds are passed on unchanged") {
  fresh::process(kAllLoops, [] {
    in_team(2, [](int) {
      for (const int schedule : {33, 34, 38, 65, 66, 67, 68, 69, 69 | kMonotonicBit, 166}) {
        init(nullptr, schedule, 0, 9, 1, 4);
        const auto came = calls();
        REQUIRE(came.size() == 1);
        CHECK(came[0].schedule == schedule);
        CHECK(came[0].numbers == std::vector<std::int64_t>{0, 9, 1, 4});
      }
      __kmpc_doacross_init(nullptr, 0, 1, nullptr);
      init(nullptr, kRuntimeLoop, 0, 9, 1, 1);
      __kmpc_doacross_fini(nullptr, 0);
      CHECK(names() == Names{"doacross_init", "dispatch_init_4", "doacross_fini"});
      __kmpc_doacross_init(nullptr, 0, 1, nullptr);
      __kmpc_doacross_fini(nullptr, 0);
      calls();
      for (const int schedule : {kRuntimeLoop, kDynamicLoop, kGuidedLoop | kNonmonotonicBit}) {
        init(nullptr, schedule, 0, 9, 1, 1);
        rest_of_loop<std::int32_t>(1);
      }
      CHECK(names().empty());
      using L = std::numeric_limits<std::int64_t>;
      init(nullptr, kRuntimeLoop, L::min(), L::max(), std::int64_t{1}, std::int64_t{1});
      CHECK(names() == Names{"dispatch_init_8"});
    });
  });
  fresh::process(kHybrid, [] {
    in_team(2, [](int) {
      init(nullptr, kDynamicLoop, 0, 9, 1, 1);
      init(nullptr, kGuidedLoop, 0, 9, 1, 1);
      CHECK(names() == Names{"dispatch_init_4", "dispatch_init_4"});
    });
  });
}

// A statically divided doacross loop has no begin event.
TEST_CASE("a team forked inside a doacross loop shares its loops among all members") {
  fresh::process(kAllLoops, [] {
    fake::self(0).max_active_levels = 2;
    in_team(2, [](int) {
      __kmpc_doacross_init(nullptr, 0, 1, nullptr);
      calls();
      in_team(3, [](int) {
        init(nullptr, kRuntimeLoop, 0, 9, 1, 1);
        rest_of_loop<std::int32_t>(1);
        CHECK(names().empty());
      });
      __kmpc_doacross_fini(nullptr, 0);
      calls();
      init(nullptr, kRuntimeLoop, 0, 9, 1, 1);
      CHECK(names().empty());
    });
  });
}

// If iterations may come in any order, the second member begins with its own share, at 50. In a
// monotonic loop, the second member begins with the shared queue, at 0.
TEST_CASE("iterations rise in the same cases as with the runtime") {
  fresh::process(kHybrid, [] {
    const Ident old{0, 45 << 24 | 2};
    const Ident recent{0, 50 << 24 | 2};
    CHECK(opens_at(kRuntimeLoop | kNonmonotonicBit, old, 50));
    CHECK(opens_at(kRuntimeLoop | kMonotonicBit, recent, 0));
    CHECK(opens_at(kRuntimeLoop, recent, 50));
    CHECK(opens_at(kRuntimeLoop, old, 0));
    CHECK(opens_at(kRuntimeLoop, {}, 0));
  });
}

TEST_CASE("loops of teams that are not reported stay native and one warning says so") {
  const auto loops = [](bool is_told) {
    const fresh::Captured captured;
    static omp::Calls told = runtime();
    if (is_told) {
      omp::note_started(told);
    }
    fake::self(0).path = {{0, 2}};
    for (int i = 0; i < 3; ++i) {
      init(nullptr, kRuntimeLoop, 0, 9, 1, 1);
    }
    CHECK(names() == Names{"dispatch_init_4", "dispatch_init_4", "dispatch_init_4"});
    CHECK(fresh::count(captured.text(), "does not report its teams") == (is_told ? 0 : 1));
  };
  fresh::process(kHybrid, [&] { loops(false); });
  fresh::process(kHybrid, [&] { loops(true); });
  fresh::process(kHybrid, [] {
    const fresh::Captured captured;
    init(nullptr, kRuntimeLoop, 0, 9, 1, 1);  // outside of regions
    CHECK(captured.text().empty());
  });
}
