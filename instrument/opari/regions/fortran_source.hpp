// SPDX-License-Identifier: BSD-3-Clause
// Fortran in free or fixed form. Each region calls a new procedure, which contains the tool's
// calls. The procedures are at the end of the source.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "instrument/opari/regions/fortran_constructs.hpp"
#include "instrument/opari/regions/regions.hpp"

namespace nestbind::opari {

class FortranSource : public Source {
 public:
  FortranSource(std::string text, const std::string& name, Language language, std::size_t width);

  const std::vector<Region>& regions() const override { return regions_; }
  const std::vector<Remark>& remarks() const override { return remarks_; }
  std::string woven(const std::vector<Calls>& calls, const std::string& name) const override;

 private:
  void add_regions();
  std::string own_variables(const Construct& construct, bool opari2) const;
  std::string variables_within(const Construct& outer, bool opari2) const;
  void weave(const Construct& construct, bool opari2, const std::string& name, Edits& edits) const;
  void weave_around(const Construct& construct, bool opari2, Edits& edits) const;
  void declare(Edits& edits, bool opari2, const std::string& name) const;
  std::string procedure(const Calls& calls, std::size_t number, const std::string& name) const;
  std::string initialiser(const std::vector<Calls>& calls, const std::string& name) const;
  std::size_t offset_of(std::size_t line) const;

  std::string text_;
  Places places_;
  Language language_;
  std::vector<Item> items_;
  Units units_;
  std::vector<Construct> constructs_;
  std::vector<Region> regions_;
  std::vector<Remark> remarks_;
};

}  // namespace nestbind::opari
