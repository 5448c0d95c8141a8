// SPDX-License-Identifier: BSD-3-Clause
#include "cli/inspect/stripped.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace nestbind::cli::inspect {

using namespace std::string_view_literals;

namespace {

// More than the programs have that are started on a machine; a file with holes can have more.
constexpr std::uint64_t kMaxSearched = 1 << 28;

// With the nul before and behind it.
constexpr std::string_view kVariable = "\0GOMP_SPINCOUNT\0"sv;
constexpr std::string_view kMessage = "\nlibgomp: \0"sv;

// Not string_view::find, which stops at each first letter: most of a program's are nul.
bool has(std::string_view bytes, std::string_view text) {
  return memmem(bytes.data(), bytes.size(), text.data(), text.size()) != nullptr;
}

}  // namespace

GompTexts find_texts_of_gomp(const ElfImage& image) {
  const std::string_view all = image.file().all();
  GompTexts found;
  bool has_variable = false;
  bool has_message = false;
  std::uint64_t left = kMaxSearched;
  for (const Elf64_Phdr& segment : image.segments()) {
    if (segment.p_type != PT_LOAD || (segment.p_flags & PF_W) != 0) {
      continue;
    }
    const std::uint64_t begin = std::min<std::uint64_t>(segment.p_offset, all.size());
    const std::uint64_t there = std::min<std::uint64_t>(segment.p_filesz, all.size() - begin);
    found.is_whole = found.is_whole && there <= left;
    const std::string_view bytes = all.substr(begin, std::min(there, left));
    left -= bytes.size();
    has_variable = has_variable || has(bytes, kVariable);
    has_message = has_message || has(bytes, kMessage);
  }
  found.are_there = has_variable && has_message;
  found.is_whole = found.is_whole || found.are_there;
  return found;
}

}  // namespace nestbind::cli::inspect
