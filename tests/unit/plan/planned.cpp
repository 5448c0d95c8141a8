// SPDX-License-Identifier: BSD-3-Clause
#include "planned.hpp"

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <stdexcept>

#include "machine/hwloc/read_hwloc.hpp"

namespace planned {

using namespace nestbind;

namespace {

std::optional<std::vector<int>> cpu_list(const std::string& text) {
  if (text.empty()) {
    return std::nullopt;
  }
  std::vector<int> cpus;
  std::istringstream ranges(text);
  for (std::string range; std::getline(ranges, range, ',');) {
    const auto dash = range.find('-');
    const int first = std::stoi(range);
    const int last = dash == std::string::npos ? first : std::stoi(range.substr(dash + 1));
    for (int cpu = first; cpu <= last; ++cpu) {
      cpus.push_back(cpu);
    }
  }
  return cpus;
}

}  // namespace

machine::Topology topology(const Setup& setup) {
  const std::string file =
      std::string(NESTBIND_SOURCE_DIR) + "/tests/machines/" + setup.machine + ".xml";
  const std::string source = std::filesystem::exists(file) ? file : setup.machine;
  return machine::Topology::of(machine::hwloc::read_hardware(source), source, cpu_list(setup.cpus));
}

plan::Plan plan(const Setup& setup, const std::string& text) {
  spec::Spec spec;
  spec::Fault fault;
  if (!spec::parse(text, spec, fault)) {
    throw std::invalid_argument(text);
  }
  return plan::make(spec, topology(setup), setup.smt, setup.cores);
}

std::vector<plan::Path> primaries(plan::Plan& plan) {
  std::vector<plan::Path> paths = {{}};
  for (std::size_t level = 1; level < plan.rules().size(); ++level) {
    std::vector<plan::Path> deeper;
    for (const plan::Path& path : paths) {
      const int size = plan.next_size(path);
      for (int i = 0; i < size; ++i) {
        deeper.push_back(path);
        deeper.back().push_back({i, size});
      }
    }
    paths = std::move(deeper);
  }
  return paths;
}

std::string processors(const plan::Plan& plan, const plan::PlannedSlot& planned) {
  std::vector<int> cpus = plan.machine().slots[planned.slot].cpus;
  std::sort(cpus.begin(), cpus.end());
  std::string text;
  for (const int cpu : cpus) {
    text += (text.empty() ? "" : ",") + std::to_string(cpu);
  }
  return cpus.size() > 1 ? "{" + text + "}" : text;
}

std::string rows(plan::Plan& plan) {
  std::string text;
  for (const plan::Path& path : primaries(plan)) {
    if (!text.empty()) {
      text += " / ";
    }
    std::string row;
    for (const plan::PlannedSlot& planned : plan.team(path, plan.next_size(path))) {
      row += (row.empty() ? "" : " ") + processors(plan, planned);
    }
    text += row;
  }
  return text;
}

std::string rows(const Setup& setup, const std::string& text) {
  plan::Plan planned = plan(setup, text);
  return rows(planned);
}

}  // namespace planned
