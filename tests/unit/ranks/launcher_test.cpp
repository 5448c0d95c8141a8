// SPDX-License-Identifier: BSD-3-Clause
#include "ranks/launcher.hpp"

#include <catch2/catch.hpp>
#include <map>
#include <random>
#include <string>

using namespace nestbind::ranks;

namespace {

using Environment = std::map<std::string, std::string>;

auto values_of(const Environment& environment) {
  return [&environment](const char* name) -> const char* {
    const auto found = environment.find(name);
    return found == environment.end() || found->second.empty() ? nullptr : found->second.c_str();
  };
}

// Returns "1 of 4 by Slurm", "? by Flux" without numbers, or "none".
std::string told(const Environment& environment) {
  const Told told = told_in(values_of(environment));
  if (told.by == nullptr) {
    return "none";
  }
  const std::string by = std::string(" by ") + static_cast<const char*>(told.by->name);
  return told.of == 0 ? "?" + by
                      : std::to_string(told.local) + " of " + std::to_string(told.of) + by;
}

std::string rank(const Environment& environment) {
  const char* rank = rank_in(values_of(environment));
  return rank == nullptr ? "none" : rank;
}

const Environment kStep = {{"SLURM_LOCALID", "1"}, {"SLURM_STEP_ID", "0"},
                           {"SLURM_NODEID", "3"},  {"SLURM_STEP_TASKS_PER_NODE", "2(x3),4"},
                           {"SLURM_PROCID", "7"},  {"SLURM_JOB_ID", "12"}};

}  // namespace

TEST_CASE("each launcher's variables give the rank and the number of ranks") {
  CHECK(told({}) == "none");
  CHECK(told({{"OMPI_COMM_WORLD_LOCAL_RANK", "0"}, {"OMPI_COMM_WORLD_LOCAL_SIZE", "2"}}) ==
        "0 of 2 by Open MPI");
  CHECK(told({{"MPI_LOCALRANKID", "3"}, {"MPI_LOCALNRANKS", "4"}}) == "3 of 4 by MPICH");
  CHECK(told({{"MV2_COMM_WORLD_LOCAL_RANK", "3"}, {"MV2_COMM_WORLD_LOCAL_SIZE", "4"}}) ==
        "3 of 4 by MVAPICH");
  CHECK(told({{"PALS_LOCAL_RANKID", "1"}, {"PALS_LOCAL_SIZE", "2"}}) == "1 of 2 by PALS");
  CHECK(told({{"JSM_NAMESPACE_LOCAL_RANK", "1"}, {"JSM_NAMESPACE_LOCAL_SIZE", "2"}}) ==
        "1 of 2 by jsrun");
  CHECK(told(kStep) == "1 of 4 by Slurm");
}

TEST_CASE("a batch script is not a rank") {
  CHECK(told({{"SLURM_LOCALID", "0"},
              {"SLURM_NODEID", "0"},
              {"SLURM_PROCID", "0"},
              {"SLURM_TASKS_PER_NODE", "2(x2)"}}) == "none");
  // A batch script that a rank has submitted is not a rank.
  Environment script = {{"SLURM_LOCALID", "0"}, {"SLURM_STEP_ID", "0"},
                        {"SLURM_NODEID", "0"},  {"SLURM_STEP_TASKS_PER_NODE", "2(x2)"},
                        {"SLURM_PROCID", "0"},  {"SLURM_JOB_ID", "13"},
                        {"SLURM_GTIDS", "0"}};
  CHECK(told(script) == "none");
  script["SLURM_GTIDS"] = "0,1";
  CHECK(told(script) == "0 of 2 by Slurm");
  script["SLURM_STEP_TASKS_PER_NODE"] = "two";
  CHECK(told(script) == "? by Slurm");
}

TEST_CASE("the innermost launcher wins") {
  Environment both = kStep;
  both["OMPI_COMM_WORLD_LOCAL_RANK"] = "2";
  both["OMPI_COMM_WORLD_LOCAL_SIZE"] = "3";
  both["OMPI_COMM_WORLD_RANK"] = "5";
  CHECK(told(both) == "2 of 3 by Open MPI");
  CHECK(rank(both) == "5");
  Environment hydra = kStep;
  hydra["MPI_LOCALRANKID"] = "0";
  hydra["MPI_LOCALNRANKS"] = "1";
  hydra["PMI_RANK"] = "2";
  hydra["PMIX_RANK"] = "7";  // from srun
  CHECK(told(hydra) == "0 of 1 by MPICH");
  CHECK(rank(hydra) == "2");
}

TEST_CASE("a launcher that does not report the number of ranks divides nothing") {
  CHECK(told({{"FLUX_TASK_LOCAL_ID", "0"}, {"FLUX_TASK_RANK", "4"}}) == "? by Flux");
  CHECK(rank({{"FLUX_TASK_LOCAL_ID", "0"}, {"FLUX_TASK_RANK", "4"}}) == "4");
  CHECK(told({{"OMPI_COMM_WORLD_LOCAL_RANK", "0"}}) == "? by Open MPI");
}

TEST_CASE("impossible numbers are not used") {
  for (const auto& [local, size] : std::map<std::string, std::string>{{"2", "2"},
                                                                      {"-1", "2"},
                                                                      {"x", "2"},
                                                                      {"0x", "2"},
                                                                      {"0", "0"},
                                                                      {"1", "99999999999"},
                                                                      {" 0", "2"}}) {
    CHECK(told({{"MPI_LOCALRANKID", local}, {"MPI_LOCALNRANKS", size}}) == "? by MPICH");
  }
  for (const char* list : {"", "2", "2(x3)", "2(x3),", "2(x3),x", "2(x0),4", "(x3),4"}) {
    Environment step = kStep;
    step["SLURM_STEP_TASKS_PER_NODE"] = list;
    CHECK(told(step) == "? by Slurm");
  }
}

TEST_CASE("the rank in the job is known without a local rank") {
  CHECK(rank({}) == "none");
  CHECK(rank({{"SLURM_PROCID", "5"}}) == "5");
  CHECK(rank({{"SLURM_PROCID", "5"}, {"PMIX_RANK", "3"}, {"PMI_RANK", "4"}}) == "3");
}

TEST_CASE("launchers that are not in the table are recognised") {
  const auto unknown = [](const Environment& environment) {
    const char* rank = rank_of_unknown(values_of(environment));
    return std::string(rank == nullptr ? "none" : rank);
  };
  CHECK(unknown({}) == "none");
  CHECK(unknown({{"PMIX_RANK", "3"}}) == "3");
  CHECK(unknown({{"PMI_RANK", "4"}}) == "4");
  CHECK(unknown({{"SLURM_PROCID", "0"}}) == "none");  // a batch script
  CHECK(unknown(kStep) == "none");
  CHECK(unknown({{"PMI_RANK", "4"}, {"MPI_LOCALRANKID", "0"}}) == "none");
}

TEST_CASE("the tasks of a node are read from Slurm's list") {
  CHECK(tasks_on("2(x3),1", 0) == 2);
  CHECK(tasks_on("2(x3),1", 2) == 2);
  CHECK(tasks_on("2(x3),1", 3) == 1);
  CHECK(tasks_on("2(x3),1", 4) == 0);
  CHECK(tasks_on("7", 0) == 7);
  CHECK(tasks_on("1,2,3", 1) == 2);
  CHECK(tasks_on("1000000(x1000000),1000000(x1000000),1", 2000000) == 1);
  for (const char* bad :
       {"", ",", "1,", "x", "1(", "1(x", "1(x2", "1(2)", "1(x2)3", "-1", "1 ", "1000001"}) {
    CHECK(tasks_on(bad, 0) == 0);
  }
  CHECK(tasks_on(nullptr, 0) == 0);
  CHECK(tasks_on("1", -1) == 0);
}

TEST_CASE("a random list gives the right number of tasks for each node") {
  std::mt19937 random(7);
  for (int round = 0; round < 2000; ++round) {
    std::string text;
    std::vector<int> nodes;
    for (int run = 0, runs = 1 + static_cast<int>(random() % 5); run < runs; ++run) {
      const int tasks = static_cast<int>(random() % 130);
      const int times = 1 + static_cast<int>(random() % 4);
      text += (run == 0 ? "" : ",") + std::to_string(tasks);
      text += times == 1 && random() % 2 == 0 ? "" : "(x" + std::to_string(times) + ")";
      nodes.insert(nodes.end(), static_cast<std::size_t>(times), tasks);
    }
    for (std::size_t node = 0; node < nodes.size(); ++node) {
      CHECK(tasks_on(text.c_str(), static_cast<int>(node)) == nodes[node]);
    }
    CHECK(tasks_on(text.c_str(), static_cast<int>(nodes.size())) == 0);
  }
}
