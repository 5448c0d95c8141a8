// SPDX-License-Identifier: BSD-3-Clause
// Reads the line marks of a preprocessed text, and finds the file and number of each line.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace nestbind::opari {

struct Place {
  std::string file;
  int line = 1;
  std::string flags;  // 3 and 4 mean a system header
};

struct Line {
  std::size_t begin = 0;
  std::size_t end = 0;
  bool is_mark = false;
  int file = 0;
  int number = 1;
};

class Places {
 public:
  // The text before the first mark belongs to the file `name`.
  Places(std::string_view text, const std::string& name);

  const std::vector<Line>& lines() const { return lines_; }
  std::size_t line_at(std::size_t offset) const;
  Place place(std::size_t line) const;

  std::string mark(std::size_t line) const;
  // The mark for our own text. Its flags turn the compiler's warnings off.
  std::string own_mark(std::size_t line) const;

 private:
  struct File {
    std::string name;
    std::string flags;
  };

  void read_mark(std::string_view line, File& file, int& number) const;
  int index_of(const File& file);

  std::vector<File> files_;
  std::vector<Line> lines_;
};

}  // namespace nestbind::opari
