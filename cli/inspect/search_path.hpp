// SPDX-License-Identifier: BSD-3-Clause
// Lists of folders as the loader reads them: DT_RPATH, DT_RUNPATH and LD_LIBRARY_PATH.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nestbind::cli::inspect {

// What stands for $ORIGIN, $LIB and $PLATFORM; empty: nothing does.
struct Tokens {
  std::string origin;
  std::string lib;
  std::string platform;
};

// A path with its tokens replaced; none if one has nothing to stand for it, or if it becomes longer
// than a path can be.
std::optional<std::string> expand(std::string_view path, const Tokens& tokens);

// The folders of a list, each once, in order, with "/" at its end; "" is the current one. Those
// with a token that nothing stands for are left out, and those behind the first 1024 or 128 KiB:
// `is_cut`.
std::vector<std::string> folders_of(std::string_view list, std::string_view separators,
                                    const Tokens& tokens, bool& is_cut);

// The folder that $ORIGIN is for a file: absolute, without "/" at its end.
std::string origin_of(const std::string& path);

}  // namespace nestbind::cli::inspect
