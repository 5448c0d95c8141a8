// SPDX-License-Identifier: BSD-3-Clause
#include "memory/watch/pieces.hpp"

#include <algorithm>

namespace nestbind::memory {

namespace {

constexpr std::uint64_t kPage = 4096;
constexpr std::uint64_t kIsMapped = 2;
constexpr std::uint64_t kMarks = 7;

}  // namespace

namespace {

// Of the chunk whose head is there; 0: there is none.
std::uint64_t chunk_at(std::uintptr_t at, const Range& range, const ReadWords& read,
                       bool is_likely) {
  constexpr std::uint64_t kFewest = std::uint64_t{128} << 10;  // malloc's smallest threshold
  std::uint64_t words[2] = {};
  if (!read(at, words, is_likely)) {
    return 0;
  }
  const std::uint64_t size = words[1] & ~kMarks;
  const bool is_chunk = (words[1] & kMarks) == kIsMapped && words[0] == 0 && size >= kFewest &&
                        size % kPage == 0 && size <= range.end - at;
  return is_chunk ? size : 0;
}

}  // namespace

Pieces split_by_chunks(const Range& range, const ReadWords& read) {
  Pieces pieces;
  std::uintptr_t rest = range.begin;  // which is in no piece yet
  std::uintptr_t at = range.begin;
  while (at < range.end && at - rest < kProbed * kPage) {
    const std::uint64_t size = chunk_at(at, range, read, at == rest);
    if (size == 0) {
      at += kPage;
      continue;
    }
    if (rest < at) {
      pieces.push_back({rest, at});
    }
    pieces.push_back({at, at + size});
    at += size;
    rest = at;
  }
  if (rest < range.end) {
    pieces.push_back({rest, range.end});
  }
  return pieces;
}

Pieces split_by_function(const Range& range, std::uint64_t step, std::uint64_t least,
                         const std::function<std::uint64_t(std::uint64_t)>& function) {
  Pieces pieces;
  Range piece = range;
  std::uint64_t of_piece = 0;
  std::uint64_t of_run = 0;
  std::uintptr_t run = range.begin;
  for (std::uintptr_t at = range.begin; at < range.end; at = (at / step + 1) * step) {
    const std::uint64_t here = function(at);
    if (here != 0 && here != of_run) {
      of_run = here;
      run = at;
    }
    const std::uintptr_t end = std::min<std::uintptr_t>((at / step + 1) * step, range.end);
    if (of_run == of_piece || end - run < least) {
      continue;
    }
    if (of_piece != 0 && run - piece.begin >= least) {
      pieces.push_back({piece.begin, run});
      piece.begin = run;
    }
    of_piece = of_run;
  }
  pieces.push_back(piece);
  return pieces;
}

}  // namespace nestbind::memory
