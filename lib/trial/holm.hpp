// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <vector>

namespace nestbind::trial {

// The p values of several tests, made larger so that one below a level is wrong in any of them with
// at most this probability, whatever hangs together among them.
// S. Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of
// Statistics 6 (1979). `planned`: how many tests were planned, where some could not be made; those
// count as if they had found nothing. At least as many as there are values.
std::vector<double> holm(const std::vector<double>& values, std::size_t planned);

}  // namespace nestbind::trial
