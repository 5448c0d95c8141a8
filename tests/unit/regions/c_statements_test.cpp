// SPDX-License-Identifier: BSD-3-Clause
// Tests where a statement of C or C++ ends.
#include "instrument/opari/regions/c_statements.hpp"

#include <catch2/catch.hpp>
#include <string>

using namespace nestbind::opari;

namespace {

std::string statement_of(const std::string& statement) {
  const std::string text = statement + " behind ; }";
  const auto tokens = read_tokens(text);
  const auto end = end_of_statement(text, tokens, 0);
  return end ? text.substr(0, tokens[*end - 1].end) : "no end";
}

}  // namespace

TEST_CASE("the end of a C statement is found") {
  for (const char* statement : {"{ }",
                                ";",
                                "f(x);",
                                "f([&](int k) { g(k; ); h(); });",
                                "for (;;) f();",
                                "for (;;) { f(); }",
                                "if (a) b(); else c();",
                                "if (a) if (b) c(); else d();",
                                "if (a) { b(); } else if (c) d(); else { }",
                                "if constexpr (a) b();",
                                "do x(); while (y);",
                                "do if (a) b(); else c(); while (d);",
                                "while (a) while (b) c();",
                                "switch (a) { case 1: b(); }",
                                "case a::b: c();",
                                "label: d();",
                                "default: f();",
                                "a::b();",
                                "try { } catch (int) { } catch (...) { f(); }",
                                "x = R\"(;})\" + ';' + \"\\\";\";",
                                "x = 1'000'000 + 0x1p-3;",
                                "<% f(); %>",
                                "[[likely]] f();",
                                "x = y ? a : b;",
                                "return {1, 2};",
                                "/* ; */ f() /* } */;",
                                "int values[] = {1, 2};",
                                "__extension__ ({ f(); });",
                                "\n#pragma omp for\nfor (;;) ;",
                                "\n#pragma omp parallel\n#pragma omp single\n{ f(); }",
                                "\n#pragma GCC unroll 2\nfor (;;) ;",
                                "\n#pragma omp critical \\\n (name)\n{ f(); }"}) {
    CHECK(statement_of(statement) == statement);
  }
  CHECK(end_of_statement("{ f();", read_tokens("{ f();"), 0) == std::nullopt);
}

TEST_CASE("directives in strings and comments are ignored") {
  CHECK(read_tokens("/*\n#pragma omp parallel\n*/").empty());
  CHECK(read_tokens("R\"x(\n#pragma omp parallel\n)x\"").size() == 1);
  CHECK(read_tokens("#pragma omp parallel").size() == 1);
  CHECK(read_tokens("#pragma ompx parallel").empty());
}
