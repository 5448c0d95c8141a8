// SPDX-License-Identifier: BSD-3-Clause
#include "process/original_mask.hpp"

#include <catch2/catch.hpp>
#include <cstring>

#include "helpers/cpus.hpp"
#include "helpers/fresh_process.hpp"

using namespace nestbind::process;

TEST_CASE("the initial mask is known and stays") {
  fresh::process({}, [] {
    const std::string all = cpus::in_kernel();
    CHECK(cpus::text(original_mask()) == all);
    const auto numbers = cpus::list(original_mask());
    REQUIRE(cpus::set_in_kernel(cpus::of({numbers.front()}).view()));
    learn_original_mask();
    CHECK(cpus::text(original_mask()) == all);
  });
}

TEST_CASE("a new mask of the process is stored and equal masks have one address") {
  fresh::process({}, [] {
    const nestbind::mask::CpuMask first = original_mask();
    const nestbind::mask::MaskBuffer other = cpus::of({3, 500});
    REQUIRE(change_original_mask(other.view()));
    const nestbind::mask::CpuMask second = original_mask();
    CHECK(cpus::text(second) == "3 500");
    const nestbind::mask::MaskBuffer again = cpus::of(cpus::list(first));
    REQUIRE(change_original_mask(again.view()));
    CHECK(original_mask().bits == first.bits);
    const nestbind::mask::MaskBuffer copy = other;
    REQUIRE(change_original_mask(copy.view()));
    CHECK(original_mask().bits == second.bits);
    CHECK(cpus::text(second) == "3 500");
  });
}

TEST_CASE("the mask is written as the kernel writes it if there is room") {
  fresh::process({}, [] {
    nestbind::mask::MaskBuffer buffer;
    std::memset(&buffer, 0xff, sizeof buffer);
    REQUIRE(nestbind::mask::write_as_kernel(original_mask(), &buffer, sizeof buffer));
    CHECK(nestbind::mask::is_same(buffer.view(), original_mask()));
    const int last = cpus::list(original_mask()).back();
    unsigned char bytes[2048];
    CHECK_FALSE(nestbind::mask::write_as_kernel(original_mask(), bytes,
                                                static_cast<std::size_t>(last / 8)));
    CHECK(nestbind::mask::write_as_kernel(original_mask(), bytes,
                                          static_cast<std::size_t>(last / 8 + 1)));
  });
}
