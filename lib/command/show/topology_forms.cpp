// SPDX-License-Identifier: BSD-3-Clause
#include "show/topology_forms.hpp"

#include <fmt/core.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>

#include "show/texts.hpp"

namespace nestbind::show {

namespace {

using Json = nlohmann::ordered_json;
using machine::Kind;
using topology::Unit;
using Rows = std::vector<std::vector<std::string>>;

constexpr struct {
  Kind kind;
  const char* one;
  const char* several;
} kNames[] = {
    {Kind::kBoard, "board", "boards"},        {Kind::kPackage, "package", "packages"},
    {Kind::kNuma, "NUMA node", "NUMA nodes"}, {Kind::kL3, "L3", "L3s"},
    {Kind::kCore, "core", "cores"},           {Kind::kPu, "slot of a core", "slots of a core"}};

std::string several(Kind kind) {
  const auto* const name =
      std::ranges::find(kNames, kind, [](const auto& row) { return row.kind; });
  return name->several;
}

std::string table(const Rows& rows) {
  std::vector<std::size_t> width(rows.front().size(), 0);
  for (const auto& row : rows) {
    for (std::size_t column = 0; column < row.size(); ++column) {
      width[column] = std::max(width[column], row[column].size());
    }
  }
  std::string text;
  for (const auto& row : rows) {
    for (std::size_t column = 0; column < row.size(); ++column) {
      text += fmt::format("  {:>{}}", row[column], width[column]);
    }
    text += "\n";
  }
  return text;
}

template <typename Cell>
std::string matrix(const std::vector<int>& nodes, Cell cell) {
  Rows rows{{"node"}};
  for (const int to : nodes) {
    rows[0].push_back(std::to_string(to));
  }
  for (std::size_t from = 0; from < nodes.size(); ++from) {
    rows.push_back({std::to_string(nodes[from])});
    for (std::size_t to = 0; to < nodes.size(); ++to) {
      rows.back().push_back(cell(from, to));
    }
  }
  return table(rows);
}

std::string dimensions(const Between& between) {
  const int slots = between.geometry.slots();
  std::string text = fmt::format("{} slot{}", slots, slots == 1 ? "" : "s");
  const char* separator = ": ";
  for (const topology::Dimension& dimension : between.geometry.coordinates().dimensions()) {
    text += fmt::format("{}{} {}", separator, dimension.size, several(dimension.kind));
    separator = " x ";
  }
  return text + "\n";
}

std::string hops(const Between& between) {
  const auto& nodes = between.geometry.nodes().numbers;
  return "\nhops between NUMA nodes\n" +
         matrix(
             nodes,
             [&](std::size_t from, std::size_t to) {
               return std::to_string(between.geometry.hops_between_nodes(nodes[from], nodes[to]));
             }) +
         (nodes.size() > 1 && between.geometry.nodes().distance.empty()
              ? "\nThe machine reports no distances: any other node is one hop away.\n"
              : "");
}

std::string distances(const Between& between) {
  const machine::NumaNodes& nodes = between.geometry.nodes();
  if (nodes.distance.empty()) {
    return "";
  }
  std::string text = fmt::format("\ndistances, {}\n",
                                 nodes.in_ns ? "measured, in nanoseconds" : "by the firmware");
  text += matrix(nodes.numbers, [&](std::size_t from, std::size_t to) {
    return std::to_string(nodes.distance[from][to]);
  });
  text += "\nNUMA factors\n";
  return text + matrix(nodes.numbers, [&](std::size_t from, std::size_t to) {
           const double factor =
               between.geometry.numa_factor(nodes.numbers[from], nodes.numbers[to]);
           return factor < 0 ? "-" : fmt::format("{:.2f}", factor);
         });
}

std::string number_or_none(int number) { return number < 0 ? "-" : std::to_string(number); }

std::string coordinates(const Between& between) {
  const bool has_threads = !between.threads.empty();
  Rows rows{{"slot", "coordinates", "package", "node", "core", "processors"}};
  if (has_threads) {
    rows[0].push_back("thread");
  }
  for (int slot = 0; slot < between.geometry.slots(); ++slot) {
    const machine::Slot& here = between.machine.slots[slot];
    rows.push_back({std::to_string(slot),
                    fmt::format("{}", fmt::join(between.geometry.coordinates().of(slot), " ")),
                    number_or_none(here.package), number_or_none(here.numa),
                    number_or_none(here.core), slot_list(between.machine.slots, {slot})});
    if (has_threads) {
      const std::vector<int>& path = between.threads[slot];
      rows.back().push_back(path.empty() ? "-" : fmt::format("{}", fmt::join(path, ".")));
    }
  }
  return "\n" + table(rows);
}

Json node_or_null(int index) { return index < 0 ? Json(nullptr) : Json(index); }

const char* word_of(Unit unit) {
  return unit == Unit::kLevels ? "none" : unit == Unit::kFirmware ? "firmware" : "probed";
}

template <typename Cell>
Json json_matrix(const std::vector<int>& nodes, Cell cell) {
  Json rows = Json::array();
  for (const int from : nodes) {
    Json& row = rows.emplace_back(Json::array());
    for (const int to : nodes) {
      row.push_back(cell(from, to));
    }
  }
  return rows;
}

Json slot_object(const Between& between, int slot) {
  const machine::Slot& here = between.machine.slots[slot];
  const auto at = between.geometry.coordinates().of(slot);
  Json object;
  object["slot"] = slot;
  object["coordinates"] = std::vector<int>(at.begin(), at.end());
  object["cpus"] = here.cpus;
  object["core"] = node_or_null(here.core);
  object["package"] = node_or_null(here.package);
  object["numa"] = node_or_null(here.numa);
  const bool has_thread = !between.threads.empty() && !between.threads[slot].empty();
  object["path"] = has_thread ? Json(between.threads[slot]) : Json(nullptr);
  return object;
}

std::string size_of(int kib) {
  constexpr int kUnit = 1024;
  return kib % kUnit != 0             ? fmt::format("{} KiB", kib)
         : kib % (kUnit * kUnit) != 0 ? fmt::format("{} MiB", kib / kUnit)
                                      : fmt::format("{} GiB", kib / kUnit / kUnit);
}

}  // namespace

std::string details_of(const machine::Hardware& hardware, bool in_json) {
  const auto is_core = [](const machine::Object& object) {
    return object.type == machine::Type::kCore;
  };
  std::map<std::array<int, 3>, int> caches;  // how many have this level, KiB and number of cores
  for (std::size_t i = 0; i < hardware.object_kib.size(); ++i) {
    const machine::Object& cache = hardware.objects[i];
    if (hardware.object_kib[i] > 0) {
      const auto cores = std::ranges::count_if(hardware.objects, [&](const auto& object) {
        return is_core(object) && object.begin >= cache.begin && object.end <= cache.end;
      });
      const int level = 1 + static_cast<int>(cache.type) - static_cast<int>(machine::Type::kL1);
      ++caches[{level, hardware.object_kib[i], static_cast<int>(cores)}];
    }
  }
  Json json{{"caches", Json::array()}, {"memory", Json::array()}};
  Rows rows{{"cache", "size", "cores", "caches"}};
  for (const auto& [key, count] : caches) {
    const auto& [level, kib, cores] = key;
    const std::string kind = fmt::format("L{}", level);
    json["caches"].push_back({{"kind", kind}, {"kib", kib}, {"cores", cores}, {"caches", count}});
    rows.push_back({kind, size_of(kib), std::to_string(cores), std::to_string(count)});
  }
  Rows nodes{{"node", "memory"}};
  for (std::size_t node = 0; node < hardware.numa_mib.size(); ++node) {
    const int number = machine::numa_number(hardware, static_cast<int>(node));
    const int mib = hardware.numa_mib[node];
    json["memory"].push_back({{"node", number}, {"mib", mib}});
    nodes.push_back(
        {std::to_string(number), mib == 0 ? "-" : fmt::format("{:.1f} GiB", mib / 1024.0)});
  }
  const bool has_memory = std::ranges::any_of(hardware.numa_mib, [](int mib) { return mib > 0; });
  return in_json ? json.dump() + "\n"
                 : (caches.empty() ? "no cache is described; a synthetic description has them as "
                                     "l3:1(size=8MB)\n"
                                   : table(rows)) +
                       "\n" +
                       (has_memory ? table(nodes)
                                   : "no memory is described; a synthetic description has it as "
                                     "numa:1(memory=8GB)\n");
}

Between::Between(const machine::Topology& topology, const machine::Machine& of,
                 const Layout* layout)
    : summary(topology.summary()), machine(of), geometry(of, topology.numa_nodes()) {
  if (layout == nullptr) {
    return;
  }
  threads.resize(machine.slots.size());
  for (const ThreadRow& thread : layout->threads) {
    if (threads[thread.slot].empty()) {
      threads[thread.slot] = thread.path;
    }
  }
}

std::string text_of(const Between& between, const Parts& asked) {
  std::string text = between.summary + "\n" + dimensions(between);
  const bool asks_for_nodes = !asked.hops && !asked.coordinates;
  const std::size_t nodes = between.geometry.nodes().numbers.size();
  if (asks_for_nodes && nodes < 2) {
    return text + "\nThere is one NUMA node, so there are no distances.\n";
  }
  text += asked.hops || asks_for_nodes ? hops(between) : "";
  text += asks_for_nodes ? distances(between) : "";
  return text + (asked.coordinates ? coordinates(between) : "");
}

std::string json_of(const Between& between) {
  const topology::Geometry& geometry = between.geometry;
  const machine::NumaNodes& nodes = geometry.nodes();
  Json dims = Json::array();
  for (const topology::Dimension& dimension : geometry.coordinates().dimensions()) {
    dims.push_back({{"kind", spec::name(dimension.kind)}, {"size", dimension.size}});
  }
  Json object;
  object["machine"] = between.summary;
  object["dimensions"] = dims;
  object["distances"] = word_of(geometry.unit());
  object["nodes"] = nodes.numbers;
  object["logical"] = nodes.logical;
  object["hops"] = json_matrix(
      nodes.numbers, [&](int from, int to) { return geometry.hops_between_nodes(from, to); });
  object["distance"] = nodes.distance.empty() ? Json(nullptr) : Json(nodes.distance);
  object["numa_factor"] = json_matrix(nodes.numbers, [&](int from, int to) {
    const double factor = geometry.numa_factor(from, to);
    return factor < 0 ? Json(nullptr) : Json(factor);
  });
  std::string text = "{";
  for (const auto& [key, value] : object.items()) {
    text += Json(key).dump() + ": " + value.dump() + ",\n ";
  }
  text += "\"slots\": [";
  for (int slot = 0; slot < geometry.slots(); ++slot) {
    text += (slot == 0 ? "\n  " : ",\n  ") + slot_object(between, slot).dump();
  }
  return text + "]}\n";
}

}  // namespace nestbind::show
