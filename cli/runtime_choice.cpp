// SPDX-License-Identifier: BSD-3-Clause
#include "cli/runtime_choice.hpp"

#include <cstdlib>

#include "cli/inspect/llvm.hpp"
#include "cli/llvm_runtime.hpp"
#include "cli/message.hpp"

namespace nestbind::cli {

bool read_runtime(const std::string& text, RuntimeChoice& choice) {
  constexpr std::string_view kLlvmFile = "llvm:";
  choice.is_llvm = text == "llvm" || text.starts_with(kLlvmFile);
  choice.file = text.starts_with(kLlvmFile) ? text.substr(kLlvmFile.size()) : "";
  const bool is_good = text.empty() || text == "native" || (choice.is_llvm && text != kLlvmFile);
  if (!is_good) {
    say("--runtime {}: expected native, or llvm with or without :FILE behind it", text);
  }
  return is_good;
}

bool put_llvm_in_place(const std::string& name, const std::string& path,
                       const inspect::ElfFile& program, const RuntimeChoice& choice) {
  std::string fault;
  const auto runtime = find_llvm_runtime(choice.file, fault);
  if (!runtime) {
    say("--runtime=llvm: {}", fault);
    return false;
  }
  prefer(*runtime);
  inspect::LlvmVerdict verdict;
  // A script's interpreter may start anything.
  if (program.kind == inspect::ElfFile::Kind::kElf) {
    verdict = judge_on_llvm(path, program, inspect::link_libraries(path), runtime->folder);
  }
  if (!verdict.obstacle.empty()) {
    say("{} cannot run on LLVM's runtime, {}: {}", name, runtime->file, verdict.obstacle);
    return false;
  }
  if (!verdict.is_checked) {
    warn(
        "{} starts without an OpenMP runtime: what it loads or starts later gets LLVM's without "
        "having been checked",
        name);
  }
  setenv("NESTBIND_RUNTIME", "llvm", 1);
  return true;
}

}  // namespace nestbind::cli
