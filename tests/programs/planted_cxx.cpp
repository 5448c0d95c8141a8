// SPDX-License-Identifier: BSD-3-Clause
// planted_cxx parts|shared SECONDS MEBIBYTES SCANS: does the same as planted.c, but its memory is
// in a std::vector.
#include <omp.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

extern "C" {
#include "scans.h"
}

int main(int argc, char** argv) {
  const std::string name = argc > 1 ? argv[1] : "parts";
  const double seconds = argc > 2 ? std::atof(argv[2]) : 0;
  const long count = (argc > 3 ? std::atol(argv[3]) : 16) * (1L << 20) / long{sizeof(double)};
  const long scans = argc > 4 ? std::atol(argv[4]) : 0;
  constexpr int kThreads = 4;
  constexpr long kLine = 64 / sizeof(double);
  std::vector<double> grid(static_cast<std::size_t>(count), 1.0);  // PLANTED: main
  const double begin = omp_get_wtime();
  double sum = 0;
  do {
#pragma omp parallel num_threads(kThreads) reduction(+ : sum)
    {
      const long part = count / kThreads;
      const bool is_shared = name == "shared";
      const long first = part * omp_get_thread_num();
      for (long i = 0; i < (is_shared ? count : part); i += kLine) {
        sum += grid[static_cast<std::size_t>((first + i) % count)];
      }
    }
  } while (omp_get_wtime() - begin < seconds && (scans == 0 || scans_so_far() < scans));
  std::printf("%s %d\n", name.c_str(), sum > 0 ? 1 : 0);
  return 3;
}
