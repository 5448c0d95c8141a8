// SPDX-License-Identifier: BSD-3-Clause
#include "instrument/opari/regions/regions.hpp"

#include <cctype>

namespace nestbind::opari {

namespace {

// Returns the position of the number in "# 12 ..." or "#line 12 ...", and npos for other lines.
std::size_t number_in(std::string_view line) {
  std::size_t at = line.find_first_not_of(" \t");
  if (at == std::string_view::npos || line[at] != '#') {
    return std::string_view::npos;
  }
  at = line.find_first_not_of(" \t", at + 1);
  if (at != std::string_view::npos && line.substr(at, 5) == "line ") {
    at = line.find_first_not_of(" \t", at + 5);
  }
  const bool is_number =
      at != std::string_view::npos && std::isdigit(static_cast<unsigned char>(line[at])) != 0;
  return is_number ? at : std::string_view::npos;
}

}  // namespace

Places::Places(std::string_view text, const std::string& name) {
  File file{name, ""};
  int index = index_of(file);
  int number = 1;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = text.substr(begin, end - begin);
    const bool is_mark = number_in(line) != std::string_view::npos;
    if (is_mark) {
      read_mark(line, file, number);
      index = index_of(file);
      lines_.push_back({begin, end, true, index, number});
    } else {
      lines_.push_back({begin, end, false, index, number++});
    }
    begin = end + 1;
  }
}

void Places::read_mark(std::string_view line, File& file, int& number) const {
  const std::size_t at = number_in(line);
  number = 0;
  std::size_t i = at;
  for (; i < line.size() && std::isdigit(static_cast<unsigned char>(line[i])) != 0; ++i) {
    number = number < 100'000'000 ? number * 10 + (line[i] - '0') : number;
  }
  const std::size_t open = line.find('"', i);
  const std::size_t close = line.rfind('"');
  if (open == std::string_view::npos || close == open) {
    return;
  }
  file.name = line.substr(open + 1, close - open - 1);
  file.flags.clear();
  const std::string_view flags = line.substr(close + 1);
  for (const char flag : {'3', '4'}) {
    if (flags.find(flag) != std::string_view::npos) {
      file.flags += std::string(" ") + flag;
    }
  }
}

int Places::index_of(const File& file) {
  for (std::size_t i = files_.size(); i-- > 0;) {
    if (files_[i].name == file.name && files_[i].flags == file.flags) {
      return static_cast<int>(i);
    }
  }
  files_.push_back(file);
  return static_cast<int>(files_.size() - 1);
}

std::size_t Places::line_at(std::size_t offset) const {
  const auto behind =
      std::upper_bound(lines_.begin(), lines_.end(), offset,
                       [](std::size_t at, const Line& line) { return at < line.begin; });
  return behind == lines_.begin() ? 0 : static_cast<std::size_t>(behind - lines_.begin()) - 1;
}

Place Places::place(std::size_t line) const {
  if (lines_.empty()) {
    return {files_[0].name, 1, ""};
  }
  const Line& known = lines_[std::min(line, lines_.size() - 1)];
  const File& file = files_[static_cast<std::size_t>(known.file)];
  return {file.name, known.number + (line >= lines_.size() ? 1 : 0), file.flags};
}

std::string Places::mark(std::size_t line) const {
  const Place at = place(line);
  return "# " + std::to_string(at.line) + " \"" + at.file + "\"" + at.flags + "\n";
}

std::string Places::own_mark(std::size_t line) const {
  const Place at = place(line);
  return "# " + std::to_string(at.line) + " \"" + at.file + "\" 3\n";
}

}  // namespace nestbind::opari
