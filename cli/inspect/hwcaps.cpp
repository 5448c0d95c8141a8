// SPDX-License-Identifier: BSD-3-Clause
#include "cli/inspect/hwcaps.hpp"

#include <sys/auxv.h>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include <cstring>

namespace nestbind::cli::inspect {

namespace {

std::string platform_of_kernel() {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): a number is how the kernel hands it over
  const auto* text = reinterpret_cast<const char*>(getauxval(AT_PLATFORM));
  return text == nullptr ? "" : text;
}

#if defined(__x86_64__)

// _DL_HWCAP_PLATFORM of glibc's sysdeps/x86: four platforms from bit 48 on.
constexpr std::uint64_t kPlatformBits = std::uint64_t{0xF} << 48;
constexpr std::uint64_t kHaswellBit = std::uint64_t{1} << 50;
constexpr std::uint64_t kXeonPhiBit = std::uint64_t{1} << 51;

// Of a register, all of these bits.
constexpr bool has(unsigned value, std::initializer_list<int> bits) {
  for (const int bit : bits) {
    if ((value >> bit & 1U) == 0) {
      return false;
    }
  }
  return true;
}

// What the processor has, and the system has enabled: a feature whose registers are not saved is
// none.
struct Features {
  unsigned basic = 0;     // leaf 1, ecx
  unsigned wide = 0;      // leaf 7, ebx
  unsigned extended = 0;  // leaf 0x80000001, ecx
  bool saves_ymm = false;
  bool saves_zmm = false;
  bool is_intel = false;

  bool is_v2() const { return has(basic, {0, 9, 13, 19, 20, 23}) && has(extended, {0}); }
  bool is_v3() const {
    return is_v2() && saves_ymm && has(basic, {12, 22, 28, 29}) && has(wide, {5}) &&
           has(extended, {5});
  }
  bool is_v4() const { return is_v3() && saves_zmm && has(wide, {16, 17, 28, 30, 31}); }
  // AVX2, FMA, BMI1, BMI2, LZCNT, MOVBE, POPCNT.
  bool is_haswell() const {
    return saves_ymm && has(wide, {3, 5, 8}) && has(basic, {12, 22, 23}) && has(extended, {5});
  }
  bool is_xeon_phi() const { return saves_zmm && has(wide, {16, 26, 27, 28}); }
  bool is_avx512_1() const {
    return saves_zmm && has(wide, {16, 17, 28, 30, 31}) && !has(wide, {27});
  }
};

Features own_features() {
  Features found;
  unsigned eax = 0;
  unsigned ebx = 0;
  unsigned ecx = 0;
  unsigned edx = 0;
  if (__get_cpuid(0, &eax, &ebx, &ecx, &edx) != 0) {
    found.is_intel = ebx == signature_INTEL_ebx && ecx == signature_INTEL_ecx;
  }
  if (__get_cpuid(1, &eax, &ebx, &ecx, &edx) != 0) {
    found.basic = ecx;
  }
  if (__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) != 0) {
    found.wide = ebx;
  }
  if (__get_cpuid(0x80000001, &eax, &ebx, &ecx, &edx) != 0) {
    found.extended = ecx;
  }
  constexpr int kOsxsave = 27;
  if (has(found.basic, {kOsxsave})) {
    unsigned low = 0;
    unsigned high = 0;
    __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    found.saves_ymm = has(low, {1, 2});
    found.saves_zmm = has(low, {1, 2, 5, 6, 7});
  }
  return found;
}

// As update_active() and init_cpu_features() of glibc's sysdeps/x86/cpu-features.c.
Processor x86_processor(const Features& features) {
  Processor processor{platform_of_kernel(), {}, 0, {"x86_64"}, 1U << 1, 0};
  const bool is_level[] = {features.is_v2(), features.is_v3(), features.is_v4()};
  for (const bool is_it : is_level) {
    if (is_it) {
      ++processor.isa_level;
      processor.levels.insert(processor.levels.begin(),
                              "x86-64-v" + std::to_string(processor.isa_level + 1));
    }
  }
  if (!features.is_intel) {
    return processor;
  }
  if (features.is_avx512_1()) {
    processor.features.emplace_back("avx512_1");
    processor.feature_bits |= 1U << 2;
  }
  if (features.is_xeon_phi()) {
    processor.platform = "xeon_phi";
    processor.platform_bit = kXeonPhiBit;
  } else if (features.is_haswell()) {
    processor.platform = "haswell";
    processor.platform_bit = kHaswellBit;
  }
  return processor;
}

#elif defined(__aarch64__)

constexpr std::uint64_t kPlatformBits = 0;

#elif defined(__powerpc64__)

constexpr std::uint64_t kPlatformBits = 0;

#else

constexpr std::uint64_t kPlatformBits = 0;

#endif

// Of each set of names one subfolder: "tls/haswell/x86_64/" and so on, the fullest first.
void add_feature_folders(const Processor& processor, std::vector<std::string>& subfolders) {
  std::vector<std::string> names = processor.features;
  if (!processor.platform.empty()) {
    names.push_back(processor.platform);
  }
  names.emplace_back("tls");
  for (unsigned set = (1U << names.size()) - 1; set != 0; --set) {
    std::string folder;
    for (std::size_t i = names.size(); i-- > 0;) {
      folder += (set >> i & 1U) != 0 ? names[i] + "/" : "";
    }
    subfolders.push_back(folder);
  }
}

}  // namespace

Processor own_processor() {
#if defined(__x86_64__)
  return x86_processor(own_features());
#elif defined(__aarch64__)
  // No levels; the one feature is that of atomic instructions (HWCAP_ATOMICS).
  Processor processor{platform_of_kernel(), {}, 0, {}, 0, 0};
  constexpr unsigned long kAtomics = 1UL << 8;
  if ((getauxval(AT_HWCAP) & kAtomics) != 0) {
    processor.features.emplace_back("atomics");
    processor.feature_bits = kAtomics;
  }
  return processor;
#elif defined(__powerpc64__)
  Processor processor{platform_of_kernel(), {}, 0, {}, 0, 0};
  constexpr unsigned long kPower9 = 0x00800000;   // PPC_FEATURE2_ARCH_3_00
  constexpr unsigned long kPower10 = 0x00060000;  // PPC_FEATURE2_ARCH_3_1 and _MMA
  const unsigned long found = getauxval(AT_HWCAP2);
  if ((found & kPower9) != 0 && (found & kPower10) == kPower10) {
    processor.levels.emplace_back("power10");
  }
  if ((found & kPower9) != 0) {
    processor.levels.emplace_back("power9");
  }
  return processor;
#else
  return {platform_of_kernel(), {}, 0, {}, 0, 0};
#endif
}

Hwcaps hwcaps_of(const Processor& processor, const Loader& loader) {
  Hwcaps hwcaps;
  hwcaps.isa_level = processor.isa_level;
  if (loader.knows_levels) {
    hwcaps.levels = processor.levels;
    for (const std::string& level : processor.levels) {
      hwcaps.subfolders.push_back("glibc-hwcaps/" + level + "/");
    }
  }
  if (loader.knows_features) {
    add_feature_folders(processor, hwcaps.subfolders);
    constexpr std::uint64_t kThreadStorageBit = std::uint64_t{1} << 63;
    hwcaps.feature_bits = processor.feature_bits | kThreadStorageBit | kPlatformBits;
    hwcaps.platform_bits = kPlatformBits;
    hwcaps.platform_bit = processor.platform_bit;
  }
  hwcaps.subfolders.emplace_back();
  return hwcaps;
}

}  // namespace nestbind::cli::inspect
