// SPDX-License-Identifier: BSD-3-Clause
// The parallel regions of a source in any language.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "instrument/opari/regions/clauses.hpp"

namespace nestbind::opari {

struct Region {
  std::string file;
  int first_line = 0;
  int last_directive_line = 0;
  int last_line = 0;
};

// The tool's text for one region: statements without ";" or line ends.
struct Calls {
  std::string fork, begin, end, join;
  std::string handle;   // the variable that identifies the region; empty for Fortran with OPARI 1
  std::string context;  // OPARI2: the text that describes the region
  std::string context_name;  // OPARI2: the name of that text in the calls

  bool are_opari2() const { return !context.empty(); }
  std::string fork_with(const std::string& literal) const {
    const std::size_t at = are_opari2() ? fork.find(context_name) : std::string::npos;
    return at == std::string::npos
               ? fork
               : fork.substr(0, at) + literal + fork.substr(at + context_name.size());
  }
};

struct Remark {
  std::string file;
  int line = 0;
  std::string text;
};

// Collects changes of a text, and applies them in the text's order.
class Edits {
 public:
  // Replaces [begin, end). If several changes are at one position, the lowest rank is first.
  void replace(std::size_t begin, std::size_t end, std::string text, int rank = 0) {
    edits_.push_back({begin, end, rank, edits_.size(), std::move(text)});
  }

  std::string applied_to(std::string_view text) const {
    std::vector<Edit> sorted = edits_;
    std::sort(sorted.begin(), sorted.end(), [](const Edit& a, const Edit& b) {
      return std::tie(a.begin, a.rank, a.order) < std::tie(b.begin, b.rank, b.order);
    });
    std::string result;
    std::size_t at = 0;
    for (const Edit& edit : sorted) {
      result += text.substr(at, edit.begin - at);
      result += edit.text;
      at = std::max(at, edit.end);
    }
    result += text.substr(std::min(at, text.size()));
    return result;
  }

 private:
  struct Edit {
    std::size_t begin;
    std::size_t end;
    int rank;
    std::size_t order;
    std::string text;
  };

  std::vector<Edit> edits_;
};

// Reads the line marks of a preprocessed text, and finds the file and number of each line.
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

// A source is read twice: to make the tool's skeleton, and to add the tool's calls.
class Source {
 public:
  virtual ~Source() = default;
  const std::vector<Region>& regions() const { return regions_; }
  const std::vector<Remark>& remarks() const { return remarks_; }
  // name: unique for this source in the program.
  virtual std::string woven(const std::vector<Calls>& calls, const std::string& name) const = 0;

 protected:
  Source(std::string text, const std::string& name, Language language)
      : text_(std::move(text)), places_(text_, name), language_(language) {}

  std::string text_;
  Places places_;
  Language language_;
  std::vector<Region> regions_;
  std::vector<Remark> remarks_;
};

// A preprocessed C or C++ source. New functions at the top contain the calls around regions.
std::unique_ptr<Source> read_c(std::string text, const std::string& name, Language language);

// Fortran in free or fixed form. Each region calls a new procedure, which contains the tool's
// calls. The procedures are at the end of the source. width: the length of lines in fixed form.
std::unique_ptr<Source> read_fortran(std::string text, const std::string& name, Language language,
                                     std::size_t width);

// The tool's input and output. The tool sees only parallel regions, one after the other.

// The skeleton is in C, or in Fortran's free form.
std::string skeleton(const Source& source, bool fortran);

std::vector<Calls> read_calls(std::string_view output, std::string_view declarations,
                              const std::vector<Region>& regions, bool fortran);

std::string in_quotes(const std::string& text);

// OPARI 1's descriptor of one region, and the descriptors of Fortran regions for its table.
std::string descriptor(const Calls& calls, const Region& region);
std::string descriptors(const std::vector<Calls>& calls, const std::vector<Region>& regions);

}  // namespace nestbind::opari
