// SPDX-License-Identifier: BSD-3-Clause
// libFuzzer: any text of a launcher's variable must be read or ignored. The ranks of a node share a
// file (the sheet). If a sheet is not refused, its results must be consistent. If the first byte is
// 's', the input is a sheet. First the sheet's words replace words of a good sheet. Then the
// program tries the whole sheet.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "ranks/launcher.hpp"
#include "ranks/sheet.hpp"

namespace {

using namespace nestbind;
using namespace nestbind::ranks;

constexpr std::uint64_t kKey = 7;
constexpr int kRanks = 21;

void require(bool holds, const char* what) {
  if (!holds) {
    std::fprintf(stderr, "does not hold: %s\n", what);
    std::abort();
  }
}

void read_text(const std::string& text) {
  const int number = number_in(text.c_str());
  require(number >= -1 && number <= kMostNumber, "a number is small, or none");
  for (const int node : {-1, 0, 1, 7, kMostNumber}) {
    const int tasks = tasks_on(text.c_str(), node);
    require(tasks >= 0 && tasks <= kMostNumber, "a number of tasks is small, or 0");
    const std::string more = text + ",1";
    require(tasks == 0 || tasks_on(more.c_str(), node) == tasks,
            "a further entry does not change the tasks of this node");
  }
  const Told told = told_in([&](const char* name) -> const char* {
    return std::strstr(name, "SLURM") != nullptr && !text.empty() ? text.c_str() : nullptr;
  });
  require(told.of == 0 || (told.local >= 0 && told.local < told.of),
          "the number of a rank is below the number of ranks");
}

Sheet damaged(const std::uint8_t* data, std::size_t size) {
  Sheet sheet;
  begin(sheet, kKey, kRanks);
  mask::MaskBuffer mask{};
  for (int rank = 0; rank < kRanks; rank += 2) {
    mask::add(mask.bits, 3 * (rank % 4));
    enter(sheet, rank, {static_cast<std::uint32_t>(rank + 1), 2, false, true}, mask.view());
    divide(sheet, rank, {rank, rank % 3 == 0});
  }
  for (std::size_t i = 0; i + 3 < size; i += 4) {
    Word word = 0;
    std::memcpy(&word, data + i + 2, sizeof word);
    sheet.words[(data[i] | data[i + 1] << 8) % kMostWords] = word;
  }
  return sheet;
}

void use(Sheet sheet, std::size_t bytes) {
  if (!is_good(sheet, bytes, kKey, kRanks)) {
    return;
  }
  mask::MaskBuffer mask{};
  mask::add(mask.bits, 5);
  for (int rank = 0; rank < kRanks; ++rank) {
    is_waiting(sheet, rank);
    process_of(sheet, rank);
    has_mask(sheet, rank, mask.view());
    const Division division = divide(sheet, rank, {1, false});
    require(division.of >= 1 && division.index >= 0 && division.index < division.of,
            "the number of a part is below the number of parts");
    require(division.has(rank) && division.need.slots >= 1,
            "the part has the rank, and at least one slot");
    if (rank % 5 == 0) {
      enter(sheet, rank, {9, 9, true, true}, mask.view());
    }
    leave(sheet, (rank + 1) % kRanks);
    require(is_good(sheet, bytes_of(sheet), kKey, kRanks), "a good sheet stays good");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0 || data[0] != 's') {
    read_text(std::string(reinterpret_cast<const char*>(data) + (size == 0 ? 0 : 1),
                          size == 0 ? 0 : size - 1));
    return 0;
  }
  use(damaged(data + 1, size - 1), sizeof(Sheet));
  Sheet raw;
  const std::size_t bytes = std::min(size - 1, sizeof raw.words);
  std::memcpy(raw.words, data + 1, bytes);
  use(raw, bytes);
  return 0;
}
