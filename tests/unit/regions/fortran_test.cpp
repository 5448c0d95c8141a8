// SPDX-License-Identifier: BSD-3-Clause
// Tests Fortran's statements, directives, ends of loops and declarations, in both forms.
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "instrument/opari/regions/fortran_constructs.hpp"

using namespace nestbind::opari;

namespace {

std::vector<Item> items_of(const std::string& text, Language language) {
  return read_items(text, Places(text, "x"), language, 72);
}

std::vector<std::string> texts_of(const std::string& text, Language language) {
  std::vector<std::string> texts;
  for (const Item& item : items_of(text, language)) {
    texts.push_back((item.is_directive ? "!" : "") + item.compact());
  }
  return texts;
}

std::size_t line_of_declarations(const std::string& text) {
  Units units;
  for (const Item& item : items_of(text, Language::kFree)) {
    units.see(item);
    if (item.is_directive) {
      return units[units.current()].declarations;
    }
  }
  return 0;
}

}  // namespace

TEST_CASE("Fortran's free form is read") {
  CHECK(texts_of("a = & ! one\n  & 1 ; 10 B = 'it''s ; !' ! two\n\n!$ c = 1\n! d\n",
                 Language::kFree) == std::vector<std::string>{"a=1", "10b=@@", "c=1"});
  CHECK(texts_of("!$omp parallel & ! a\n! b\n\n!$omp& private(i) &\n!$omp shared(j)\nx = 1",
                 Language::kFree) ==
        std::vector<std::string>{"!parallelprivate(i)shared(j)", "x=1"});
  CHECK(texts_of("print *, 'a &\n  &!$omp parallel'\ny = 1", Language::kFree) ==
        std::vector<std::string>{"print*,@", "y=1"});
}

TEST_CASE("Fortran's fixed form is read") {
  CHECK(texts_of("c comment\n      a = 1\n     +  + 2\nC$OMP PARALLEL\nC$OMP+PRIVATE(I)\n!$    b = "
                 "1\n   10 continue\n",
                 Language::kFixed) ==
        std::vector<std::string>{"a=1+2", "!PARALLELPRIVATE(I)", "b=1", "continue"});
  CHECK(items_of("   10 continue", Language::kFixed)[0].label == "10");
}

TEST_CASE("the end of a Fortran loop is found") {
  std::string label;
  CHECK(is_do("do10i=1,5", label));
  CHECK(label == "10");
  CHECK_FALSE(is_do("do10i=1.5", label));
  CHECK(is_do("name:do", label));
  CHECK(is_do("doconcurrent(i=1:2)", label));
  CHECK_FALSE(is_do("dot=f(1,2)", label));
  const auto shared = items_of(
      "      do 10 i = 1, 2\n      do 10 j = 1, 2\n   10 a = 1\n      b = 1\n", Language::kFixed);
  CHECK(end_of_loop(shared, 0) == 2);
  const auto ended =
      items_of("do i = 1, 2\n do while (a)\n end do\nenddo\nb = 1\n", Language::kFree);
  CHECK(end_of_loop(ended, 0) == 3);
  CHECK(end_of_loop(items_of("do i = 1, 2\n", Language::kFree), 0) == 1);
}

TEST_CASE("the line for declarations in a Fortran unit is found") {
  CHECK(line_of_declarations("program p\nuse a\nimplicit none\ninteger i\n!$omp parallel\n") == 3);
  CHECK(line_of_declarations("! no program statement\ni = 1\n!$omp parallel\n") == 1);
  CHECK(line_of_declarations("!$omp parallel\n") == 0);
  CHECK(line_of_declarations(
            "module m\ncontains\npure integer function f(a, &\n b)\n!$omp parallel\n") == 4);
  CHECK(line_of_declarations(
            "subroutine s\nend subroutine\nreal(kind = 8) function f()\nx = 1\n!$omp parallel\n") ==
        3);
  CHECK(line_of_declarations(
            "module m\ninterface\nsubroutine s\nend subroutine\nend interface\ncontains\n"
            "subroutine t\nend = 1\n!$omp parallel\n") == 7);
}
