// SPDX-License-Identifier: BSD-3-Clause
// fmt's own functions, compiled once for the command. Header-only fmt more than doubles the compile
// time of a file.
#include <fmt/format-inl.h>

// fmt's headers only declare these templates, so they are instantiated here.
FMT_BEGIN_NAMESPACE
namespace detail {
template FMT_API auto dragonbox::to_decimal(float value) noexcept -> dragonbox::decimal_fp<float>;
template FMT_API auto dragonbox::to_decimal(double value) noexcept -> dragonbox::decimal_fp<double>;
template FMT_API auto thousands_sep_impl<char>(locale_ref locale) -> thousands_sep_result<char>;
template FMT_API auto decimal_point_impl<char>(locale_ref locale) -> char;
}  // namespace detail
FMT_END_NAMESPACE
