// SPDX-License-Identifier: BSD-3-Clause
// The parallel regions of a source, whatever its language.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "instrument/opari/regions/clauses.hpp"

namespace nestbind::opari {

struct Region {
  std::string file;    // the user's name for it
  int first_line = 0;  // of the directive
  int last_directive_line = 0;
  int last_line = 0;  // where the region ends
};

// What a tool writes for one region: statements, without what ends them.
struct Calls {
  std::string fork, begin, end, join;
  std::string handle;   // the variable that the region is known by; empty with OPARI 1 in Fortran
  std::string context;  // OPARI2: the text that tells of the region, and its name in the calls
  std::string context_name;

  bool are_opari2() const { return !context.empty(); }
  // The fork, with the context written out in place of its name.
  std::string fork_with(const std::string& literal) const {
    const std::size_t at = are_opari2() ? fork.find(context_name) : std::string::npos;
    return at == std::string::npos
               ? fork
               : fork.substr(0, at) + literal + fork.substr(at + context_name.size());
  }
};

// A region that stays as it is, and why.
struct Remark {
  std::string file;
  int line = 0;
  std::string text;
};

// A source taken apart: it is read once for the skeleton that the tool gets, and once more for
// putting the tool's calls in.
class Source {
 public:
  virtual ~Source() = default;
  virtual const std::vector<Region>& regions() const = 0;
  virtual const std::vector<Remark>& remarks() const = 0;
  // The text with the calls around its regions. name: what is of this source alone in its program.
  virtual std::string woven(const std::vector<Calls>& calls, const std::string& name) const = 0;
};

}  // namespace nestbind::opari
