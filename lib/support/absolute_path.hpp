// SPDX-License-Identifier: BSD-3-Clause
// Names of files from the root, for programs that go to another folder before they use them. Needs
// libstdc++.
#pragma once

#include <string>
#include <string_view>

namespace nestbind::support {

// A path as seen from `folder`; as it is where it is empty or absolute, or where no folder is known
// (empty).
inline std::string absolute_path(std::string_view folder, std::string_view path) {
  if (path.empty() || path.front() == '/' || folder.empty()) {
    return std::string(path);
  }
  return std::string(folder).append("/").append(path);
}

// The same for the file that stands behind a value's colon, as in NESTBIND_REPORT.
inline std::string with_absolute_file(std::string_view folder, std::string_view value) {
  const auto colon = value.find(':');
  return colon == std::string_view::npos ? std::string(value)
                                         : std::string(value.substr(0, colon + 1)) +
                                               absolute_path(folder, value.substr(colon + 1));
}

}  // namespace nestbind::support
