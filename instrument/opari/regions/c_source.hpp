// SPDX-License-Identifier: BSD-3-Clause
// A preprocessed C or C++ source. New functions at the top contain the calls around regions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "instrument/opari/regions/c_statements.hpp"
#include "instrument/opari/regions/regions.hpp"

namespace nestbind::opari {

class CSource : public Source {
 public:
  CSource(std::string text, const std::string& name, Language language);

  const std::vector<Region>& regions() const override { return regions_; }
  const std::vector<Remark>& remarks() const override { return remarks_; }
  std::string woven(const std::vector<Calls>& calls, const std::string& name) const override;

 private:
  struct Extent {
    Directive directive;
    std::size_t begin;
    std::size_t body;
    std::size_t end;
  };

  void find_regions();
  void find_attributes(const std::vector<Token>& tokens);
  std::string functions(const std::vector<Calls>& calls) const;
  std::string initialiser(const std::vector<Calls>& calls, const std::string& name) const;
  void weave(std::size_t number, bool opari2, Edits& edits) const;

  std::string text_;
  Places places_;
  Language language_;
  std::vector<Extent> extents_;
  std::vector<Region> regions_;
  std::vector<Remark> remarks_;
};

}  // namespace nestbind::opari
