// SPDX-License-Identifier: BSD-3-Clause
#include <catch2/catch.hpp>

#include "cli/rules/rules_file.hpp"

namespace nestbind::cli {
namespace {

using Names = std::vector<std::string>;

TEST_CASE("arguments, templates and final lambdas are not parts of a function's name") {
  CHECK(parts_of_name("solve") == Names{"solve"});
  CHECK(parts_of_name("space::fill(int, double)") == Names{"space", "fill"});
  CHECK(parts_of_name("void space::fill<int>(std::vector<int, A<int> >)") ==
        Names{"space", "fill"});
  CHECK(parts_of_name("main::{lambda(int)#1}::operator()(int) const") == Names{"main"});
  CHECK(parts_of_name("S::f(int)::{lambda()#2}::operator()() const") == Names{"S", "f"});
  CHECK(parts_of_name("space::f()::$_0::operator()(int) const") == Names{"space", "f"});
  CHECK(parts_of_name("(anonymous namespace)::hidden()") ==
        Names{"(anonymous namespace)", "hidden"});
  CHECK(parts_of_name("S::operator()(int) const") == Names{"S", "operator()"});
  CHECK(parts_of_name("S::operator<(S const&) const") == Names{"S", "operator<"});
}

TEST_CASE("Fortran's symbols give the names in the source") {
  CHECK(parts_of_name("solve_") == Names{"solve"});
  CHECK(parts_of_name("__work_MOD_solve") == Names{"work", "solve"});
  CHECK(parts_of_name("_QMworkPsolve") == Names{"work", "solve"});
  CHECK(parts_of_name("_QMworkFouterPinner") == Names{"work", "outer", "inner"});
  CHECK(parts_of_name("_QFPinner") == Names{"inner"});
  CHECK(parts_of_name("_QQmain") == Names{"main"});
  CHECK(parts_of_name("MAIN__") == Names{"main"});
  CHECK(parts_of_name("inner.0") == Names{"inner"});
  CHECK(parts_of_name("solve") == Names{"solve"});
}

bool is_meant(const std::string& name, const std::string& demangled, const std::string& symbol) {
  return is_meant_by(name, demangled, symbol, false);
}

TEST_CASE("a rule may name a function by the last parts of its name") {
  const std::string symbol = "_ZN5space4fillIiEEvT_";
  CHECK(is_meant("fill", "void space::fill<int>(int)", symbol));
  CHECK(is_meant("space::fill", "void space::fill<int>(int)", symbol));
  CHECK(is_meant(symbol, "void space::fill<int>(int)", symbol));
  CHECK(is_meant("S::operator%", "S::operator%(S const&) const", "_ZNK1SrmERKS_"));
  CHECK_FALSE(is_meant("ill", "void space::fill<int>(int)", symbol));
  CHECK_FALSE(is_meant("Fill", "void space::fill<int>(int)", symbol));
  CHECK_FALSE(is_meant("other::fill", "void space::fill<int>(int)", symbol));
  CHECK_FALSE(is_meant("", "", ""));
  for (const char* name : {"::", "()", "<x>", "(anonymous", "%"}) {
    INFO(name);
    CHECK_FALSE(is_meant(name, "void space::fill<int>(int)", symbol));
  }
}

TEST_CASE("case does not matter in a name of Fortran") {
  for (const char* symbol : {"__fluid_MOD_solve", "_QMfluidPsolve"}) {
    for (const char* name : {"solve", "SOLVE", "Fluid::Solve", "fluid%solve", "FLUID%SOLVE"}) {
      INFO(name);
      CHECK(is_meant(name, symbol, symbol));
    }
    CHECK_FALSE(is_meant("work::solve", symbol, symbol));
  }
  CHECK(is_meant("MixedCase", "mixedcase_", "mixedcase_"));
  CHECK(is_meant("Main", "heat", "MAIN__"));
  CHECK(is_meant("HEAT", "heat", "MAIN__"));
  CHECK(is_meant_by("INNER", "inner.0", "inner", true));
  CHECK_FALSE(is_meant_by("INNER", "inner.0", "inner", false));
}

TEST_CASE("a rule may name a file by its last folders") {
  CHECK(is_file("/home/a/src/solve.c", "solve.c"));
  CHECK(is_file("/home/a/src/solve.c", "src/solve.c"));
  CHECK(is_file("solve.c", "solve.c"));
  CHECK_FALSE(is_file("/home/a/resolve.c", "solve.c"));
}

std::vector<NumberedRule> rules_of(std::string_view text) {
  std::vector<NumberedRule> found;
  rules::each_line(text, [&](std::string_view line, int number) {
    rules::Rule rule;
    rules::Fault fault;
    if (rules::read_line(line, rule, fault) == rules::Line::kRule) {
      found.push_back({rule, number});
    }
    return true;
  });
  return found;
}

std::vector<RegionModule> one_module() {
  RegionModule module{"program", {}};
  module.regions.outlined = {{"solve._omp_fn.0", "solve", 0x100, "/a/solve.c", 12},
                             {"other._omp_fn.0", "other", 0x200, "/a/solve.c", 40}};
  module.regions.has_symbols = true;
  module.regions.has_lines = true;
  const std::string* file = &*module.regions.files.insert("/a/solve.c").first;
  module.regions.rows = {
      {0x100, 0x110, file, 12}, {0x300, 0x320, file, 12}, {0x320, 0x330, file, 13}};
  std::vector<RegionModule> modules;
  modules.push_back(std::move(module));
  modules[0].regions.rows.clear();
  return modules;
}

TEST_CASE("lines and functions become addresses, in the order of the rules") {
  CHECK(resolve(rules_of("solve.c:40 2,scatter\nsolve off\n* auto"), one_module(), false).text ==
        "program:0x200-0x200 2,scatter\n#\nprogram:0x100-0x100 off\n#\n* auto\n");
  CHECK(resolve(rules_of("solve.c:1-99 off"), one_module(), false).text ==
        "program:0x100-0x100 off\nprogram:0x200-0x200 off\n");
}

TEST_CASE("special characters in a module's name become wildcards in the rule") {
  std::vector<RegionModule> modules = one_module();
  modules[0].name = "my #1:program";
  const std::string resolved = resolve(rules_of("solve off"), modules, false).text;
  CHECK(resolved == "my??1?program:0x100-0x100 off\n");
  CHECK(resolve(rules_of(resolved), modules, false).text == resolved);
  CHECK(resolve(rules_of("my??1?program:* off"), modules, false).unmatched.empty());
}

TEST_CASE("a rule also covers calls in its lines, without the first byte of the lines") {
  std::vector<RegionModule> modules = one_module();
  const std::string* file = &*modules[0].regions.files.begin();
  modules[0].regions.rows = {{0x300, 0x320, file, 12}, {0x320, 0x330, file, 13}};
  CHECK(resolve(rules_of("solve.c:12 off"), modules, false).text ==
        "program:0x100-0x100 off\nprogram:0x301-0x31f off\n");
  CHECK(resolve(rules_of("solve.c:12 off"), modules, false).unmatched.empty());
  CHECK(resolve(rules_of("solve.c:13 off"), modules, false).unmatched.size() == 1);
  modules[0].regions.outlined.clear();
  CHECK(resolve(rules_of("solve.c:13 off"), modules, false).unmatched.empty());
}

TEST_CASE("a rule for a function covers the calls in this function and its copies") {
  std::vector<RegionModule> modules = one_module();
  modules[0].regions.functions = {
      {"solve", 0x400, 0x420}, {"solve.constprop.0", 0x500, 0x520}, {"solver", 0x600, 0x620}};
  CHECK(resolve(rules_of("solve off"), modules, false).text ==
        "program:0x100-0x100 off\nprogram:0x401-0x41f off\nprogram:0x501-0x51f off\n");
  CHECK(resolve(rules_of("program:solve off"), modules, false).text ==
        resolve(rules_of("solve off"), modules, false).text);
  CHECK(resolve(rules_of("other.so:solve off"), modules, false).text.empty());
}

TEST_CASE("a rule that matches nothing is reported with the nearest name or the reason") {
  const auto said = [](std::string_view text, const std::vector<RegionModule>& modules) {
    const auto unmatched = resolve(rules_of(text), modules, false).unmatched;
    REQUIRE(unmatched.size() == 1);
    CHECK(unmatched[0].first == 1);
    return unmatched[0].second;
  };
  CHECK(said("solv off", one_module()).find("did you mean solve?") != std::string::npos);
  CHECK(said("quite_different off", one_module()).find("other, solve") != std::string::npos);
  CHECK(said("solve.c:30 off", one_module()).find("solve.c:40") != std::string::npos);
  CHECK(said("solv.c:30 off", one_module()).find("did you mean solve.c?") != std::string::npos);
  CHECK(said("programm:* off", one_module()).find("did you mean program?") != std::string::npos);
  std::vector<RegionModule> stripped = {{"program", {}}};
  CHECK(said("solve off", stripped).find("stripped") != std::string::npos);
  CHECK(said("solve.c:3 off", stripped).find("-g") != std::string::npos);
  CHECK(resolve(rules_of("libplugin.so:* off"), one_module(), true).unmatched.empty());
}

}  // namespace
}  // namespace nestbind::cli
