// SPDX-License-Identifier: BSD-3-Clause
#include "memory/watch/callers.hpp"

#include <algorithm>

namespace nestbind::memory {

namespace {

const Text* text_at(std::uint64_t address, std::span<const Text> texts) {
  const auto found = std::ranges::find_if(
      texts, [&](const Text& text) { return address >= text.begin && address < text.end; });
  return found == texts.end() ? nullptr : &*found;
}

}  // namespace

std::uint64_t code_of(const Sample& sample, std::span<const Text> texts) {
  const std::uint64_t own = sample.code + 1;
  const Text* text = text_at(sample.code, texts);
  if (text == nullptr || !text->is_helper) {
    return own;
  }
  for (int i = 0; i < sample.stack_words; ++i) {
    const Text* caller = text_at(sample.stack[i], texts);
    if (caller != nullptr && !caller->is_helper) {
      return sample.stack[i];
    }
  }
  return own;
}

bool is_helper(std::string_view file) {
  const std::string_view name = file.substr(file.rfind('/') + 1);
  return name.starts_with("libc.so") || name.starts_with("libc-2") || name.starts_with("libm.so") ||
         name.starts_with("ld-linux") || name.starts_with("libnestbind");
}

}  // namespace nestbind::memory
