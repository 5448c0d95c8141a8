// SPDX-License-Identifier: BSD-3-Clause
// The subfolders in which the loader looks for libraries that are made for this processor.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/inspect/loader.hpp"

namespace nestbind::cli::inspect {

// What a processor can do, in the loader's words.
struct Processor {
  std::string platform;             // $PLATFORM: AT_PLATFORM, or what the loader sets in its place
  std::vector<std::string> levels;  // of glibc-hwcaps, the best first: "x86-64-v3", "x86-64-v2"
  unsigned isa_level = 0;           // x86-64-v1 is 0
  // Until glibc 2.36: names of single features, and the bits that cached entries have for them and
  // for the platform.
  std::vector<std::string> features;
  std::uint64_t feature_bits = 0;
  std::uint64_t platform_bit = 0;
};
Processor own_processor();

struct Hwcaps {
  std::vector<std::string>
      subfolders;                   // in order, each with "/" behind it; "" is the folder itself
  std::vector<std::string> levels;  // those of glibc-hwcaps
  unsigned isa_level = 0;
  // Which bits an entry of the cache may have that names no level; all but these mean another
  // processor.
  std::uint64_t feature_bits = 0;
  std::uint64_t platform_bits = 0;  // of these an entry has none, or exactly platform_bit
  std::uint64_t platform_bit = 0;
};

// As _dl_important_hwcaps() of glibc makes them (elf/dl-hwcaps.c). Pure.
Hwcaps hwcaps_of(const Processor& processor, const Loader& loader);

}  // namespace nestbind::cli::inspect
