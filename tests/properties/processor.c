/* SPDX-License-Identifier: BSD-3-Clause */
/* Floating-point control and status registers, which a new thread inherits from its creator. */
#define _GNU_SOURCE
#include <errno.h>
#include <fenv.h>
#include <stdio.h>

#include "property.h"

#if defined(__x86_64__)
#include <xmmintrin.h>

enum { kRaised = 0x3f, kFlushAndZero = 0x8040, kVectorUp = 0x4000, kLongDouble = 0x300 };

static unsigned x87_control(void) {
  unsigned short control = 0;
  __asm__ volatile("fnstcw %0" : "=m"(control));
  return control;
}

static unsigned x87_status(void) {
  unsigned short status = 0;
  __asm__ volatile("fnstsw %0" : "=m"(status));
  return status;
}

static void read_vector_control(char text[kText]) {
  snprintf(text, kText, "%x", _mm_getcsr() & ~(unsigned)kRaised);
}
static void read_vector_flags(char text[kText]) {
  snprintf(text, kText, "%x", _mm_getcsr() & kRaised);
}
static void read_x87_control(char text[kText]) { snprintf(text, kText, "%x", x87_control()); }
static void read_x87_flags(char text[kText]) {
  snprintf(text, kText, "%x", x87_status() & kRaised);
}

static void read_all(char text[kText]) {
  unsigned vector = _mm_getcsr();
  snprintf(text, kText, "mxcsr %x x87 %x, %x", vector, x87_control(), x87_status() & kRaised);
}

static int set_vector_control(void) {
  _mm_setcsr(_mm_getcsr() | kVectorUp);
  return 0;
}

static int set_flushing(void) {
  _mm_setcsr(_mm_getcsr() | kFlushAndZero);
  return 0;
}

static int divide_vector(void) {
  volatile double zero = 0;
  volatile double result = 1 / zero;
  (void)result;
  return 0;
}

static int divide_x87(void) {
  volatile long double zero = 0;
  volatile long double result = 1 / zero;
  (void)result;
  return 0;
}

static int set_x87_control(void) {
  const unsigned short control = (unsigned short)(x87_control() & ~(unsigned)kLongDouble);
  __asm__ volatile("fldcw %0" : : "m"(control));
  return 0;
}
#else
static void read_all(char text[kText]) {
  snprintf(text, kText, "rounding %x traps %x raised %x", fegetround(), fegetexcept(),
           fetestexcept(FE_ALL_EXCEPT));
}
#endif

static int raise_by_libm(void) { return feraiseexcept(FE_OVERFLOW) == 0 ? 0 : ENOSYS; }
static int round_up(void) { return fesetround(FE_UPWARD) == 0 ? 0 : ENOSYS; }
static int trap_overflow(void) { return feenableexcept(FE_OVERFLOW) == -1 ? ENOSYS : 0; }
static int trap_division(void) { return feenableexcept(FE_DIVBYZERO) == -1 ? ENOSYS : 0; }

static int hold(void) {
  fenv_t before;
  return feholdexcept(&before) == 0 ? 0 : ENOSYS;
}

static int set_default(void) { return fesetenv(FE_DFL_ENV) == 0 ? 0 : ENOSYS; }

const struct property kProcessorRows[] = {
#if defined(__x86_64__)
    {"floating point: MXCSR control", set_vector_control, read_vector_control, NULL, NULL, 0},
    {"floating point: MXCSR flags", divide_vector, read_vector_flags, NULL, NULL, 0},
    {"floating point: DAZ and FTZ", set_flushing, read_vector_control, NULL, NULL, 0},
    {"floating point: x87 control", set_x87_control, read_x87_control, NULL, NULL, 0},
    {"floating point: x87 flags", divide_x87, read_x87_flags, NULL, NULL, 0},
#endif
    {"floating point: feraiseexcept", raise_by_libm, read_all, NULL, NULL, 0},
    {"floating point: fesetround", round_up, read_all, NULL, NULL, 0},
    {"floating point: feenableexcept", trap_overflow, read_all, NULL, NULL, 0},
    {"floating point: feholdexcept", hold, read_all, trap_division, NULL, 0},
    {"floating point: fesetenv", set_default, read_all, round_up, NULL, 0},
    {.name = NULL},
};
