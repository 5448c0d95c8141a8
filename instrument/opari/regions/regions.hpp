// SPDX-License-Identifier: BSD-3-Clause
// The parallel regions of a source in any language.
#pragma once

#include <cstddef>
#include <string>
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

// A source is read twice: to make the tool's skeleton, and to add the tool's calls.
class Source {
 public:
  virtual ~Source() = default;
  virtual const std::vector<Region>& regions() const = 0;
  virtual const std::vector<Remark>& remarks() const = 0;
  // name: unique for this source in the program.
  virtual std::string woven(const std::vector<Calls>& calls, const std::string& name) const = 0;
};

}  // namespace nestbind::opari
