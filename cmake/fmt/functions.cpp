// SPDX-License-Identifier: BSD-3-Clause
// fmt's own functions, compiled once for the command. With header-only fmt, every file that formats
// compiles them, which takes more than half of its time.
#include <fmt/format-inl.h>

// Templates that fmt's headers declare, and that must be instantiated here.
FMT_BEGIN_NAMESPACE
namespace detail {
template FMT_API auto dragonbox::to_decimal(float value) noexcept -> dragonbox::decimal_fp<float>;
template FMT_API auto dragonbox::to_decimal(double value) noexcept -> dragonbox::decimal_fp<double>;
template FMT_API auto thousands_sep_impl<char>(locale_ref locale) -> thousands_sep_result<char>;
template FMT_API auto decimal_point_impl<char>(locale_ref locale) -> char;
}  // namespace detail
FMT_END_NAMESPACE
