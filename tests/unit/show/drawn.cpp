// SPDX-License-Identifier: BSD-3-Clause
#include "drawn.hpp"

#include <filesystem>
#include <stdexcept>

#include "machine/hwloc/read_hwloc.hpp"
#include "mask/cpu_list.hpp"

namespace drawn {

using namespace nestbind;

machine::Hardware hardware(const std::string& machine) {
  const std::string file = std::string(NESTBIND_SOURCE_DIR) + "/tests/machines/" + machine + ".xml";
  return machine::hwloc::read_hardware(std::filesystem::exists(file) ? file : machine);
}

Planned plan(const Setup& setup, const std::string& spec) {
  spec::Spec parsed;
  spec::Fault fault;
  if (!spec::parse(spec, parsed, fault)) {
    throw std::invalid_argument(spec);
  }
  Planned planned;
  planned.hardware = hardware(setup.machine);
  if (!setup.cpus.empty()) {
    planned.allowed = mask::parse_list(setup.cpus);
  }
  planned.layout = show::make_layout(
      parsed, machine::Topology::of(planned.hardware, setup.machine, planned.allowed), setup.smt,
      setup.cores);
  return planned;
}

std::string picture(const Setup& setup, const std::string& spec, const show::Canvas& canvas) {
  const Planned planned = plan(setup, spec);
  return "\n" + show::picture_of(planned.layout, planned.whole(), canvas);
}

std::string picture(const std::string& machine, const std::vector<show::Occupant>& occupants,
                    const show::Canvas& canvas) {
  const show::Picture picture = show::draw(hardware(machine), std::nullopt, occupants, canvas);
  return "\n" + show::text_of(picture.lines, canvas) + show::text_of(picture.legend, canvas);
}

}  // namespace drawn
