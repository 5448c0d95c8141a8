// SPDX-License-Identifier: BSD-3-Clause
extern "C" void GOMP_parallel(void (*)(void*), void*, unsigned, unsigned);

void fake_program_forks(void (*function)(void*), void* data, unsigned threads);
void fake_program_forks(void (*function)(void*), void* data, unsigned threads) {
  GOMP_parallel(function, data, threads, 0);
}
