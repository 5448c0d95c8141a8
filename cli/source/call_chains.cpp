// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <cstring>
#include <utility>

#include "cli/source/libdw.hpp"
#include "cli/source/source_lines.hpp"

namespace nestbind::cli::source {

namespace {

constexpr pid_t kThread = 1;
constexpr std::size_t kDeepest = 32;

// The kernel's numbers of the registers, in the order of DWARF's numbers.
#if defined(__aarch64__)
constexpr bool kCanUnwind = true;
std::vector<Dwarf_Word> registers_of(std::span<const std::uint64_t> from) {
  return {from.begin(), from.begin() + 32};
}
#elif defined(__x86_64__)
constexpr bool kCanUnwind = true;
std::vector<Dwarf_Word> registers_of(std::span<const std::uint64_t> from) {
  std::vector<Dwarf_Word> found;
  for (const unsigned number : {0, 3, 2, 1, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23, 8}) {
    found.push_back(from[number]);
  }
  return found;
}
#else
constexpr bool kCanUnwind = false;
std::vector<Dwarf_Word> registers_of(std::span<const std::uint64_t>) { return {}; }
#endif

}  // namespace

class CallChains::Session {
 public:
  explicit Session(const std::vector<Mapped>& files) : calls_(libdw()) {
    if (calls_ == nullptr) {
      return;
    }
    callbacks_.find_elf = calls_->dwfl_build_id_find_elf;
    callbacks_.find_debuginfo = calls_->dwfl_standard_find_debuginfo;
    callbacks_.section_address = calls_->dwfl_offline_section_address;
    dwfl_ = calls_->dwfl_begin(&callbacks_);
    if (dwfl_ == nullptr) {
      return;
    }
    calls_->dwfl_report_begin(dwfl_);
    for (const Mapped& mapped : files) {
      calls_->dwfl_report_elf(dwfl_, mapped.file.c_str(), mapped.file.c_str(), -1, mapped.base,
                              false);
    }
    calls_->dwfl_report_end(dwfl_, nullptr, nullptr);
    static const Dwfl_Thread_Callbacks callbacks = {next_thread,   nullptr, read_memory,
                                                    set_registers, nullptr, nullptr};
    is_attached_ =
        kCanUnwind && calls_->dwfl_attach_state(dwfl_, nullptr, kThread, &callbacks, this);
  }
  ~Session() {
    if (dwfl_ != nullptr) {
      calls_->dwfl_end(dwfl_);
    }
  }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  std::vector<Place> find(const Moment& moment) {
    std::vector<Place> places;
    if (dwfl_ == nullptr) {
      return places;
    }
    found_.clear();
    moment_ = &moment;
    if (is_attached_) {
      calls_->dwfl_getthread_frames(dwfl_, kThread, take_frame, this);
    }
    moment_ = nullptr;
    if (found_.empty()) {
      found_.emplace_back(moment.code, true);
    }
    for (const auto& [code, is_exact] : found_) {
      add_place(code, is_exact, places);
    }
    return places;
  }

 private:
  static pid_t next_thread(Dwfl*, void* own, void** thread) {
    if (*thread != nullptr) {
      return 0;
    }
    *thread = own;
    return kThread;
  }

  static bool read_memory(Dwfl*, Dwarf_Addr address, Dwarf_Word* word, void* own) {
    const Moment& moment = *static_cast<Session*>(own)->moment_;
    const std::uint64_t at = address - moment.stack_pointer;
    if (address < moment.stack_pointer || at + sizeof *word > moment.stack.size()) {
      return false;
    }
    std::memcpy(word, moment.stack.data() + at, sizeof *word);
    return true;
  }

  static bool set_registers(Dwfl_Thread* thread, void* own) {
    const Session& self = *static_cast<Session*>(own);
    const std::vector<Dwarf_Word> registers = registers_of(self.moment_->registers);
    self.calls_->dwfl_thread_state_register_pc(thread, self.moment_->code);
    return self.calls_->dwfl_thread_state_registers(
        thread, 0, static_cast<unsigned>(registers.size()), registers.data());
  }

  static int take_frame(Dwfl_Frame* frame, void* own) {
    Session& self = *static_cast<Session*>(own);
    Dwarf_Addr code = 0;
    bool is_exact = false;
    if (!self.calls_->dwfl_frame_pc(frame, &code, &is_exact)) {
      return DWARF_CB_ABORT;
    }
    self.found_.emplace_back(code, is_exact || self.found_.empty());
    return self.found_.size() < kDeepest ? DWARF_CB_OK : DWARF_CB_ABORT;
  }

  void add_place(std::uint64_t code, bool is_exact, std::vector<Place>& places) const {
    Dwfl_Module* const module = calls_->dwfl_addrmodule(dwfl_, code);
    GElf_Addr bias = 0;
    if (module == nullptr || calls_->dwfl_module_getelf(module, &bias) == nullptr) {
      return;
    }
    Place place;
    const char* const file = calls_->dwfl_module_info(module, nullptr, nullptr, nullptr, nullptr,
                                                      nullptr, nullptr, nullptr);
    place.module = file == nullptr ? "" : file;
    // Lines::find() expects a return address, and looks at the byte before this address.
    place.address = code - bias + (is_exact ? 1 : 0);
    GElf_Off in_function = 0;
    GElf_Sym symbol{};
    const char* const name = calls_->dwfl_module_addrinfo(
        module, code - (is_exact ? 0 : 1), &in_function, &symbol, nullptr, nullptr, nullptr);
    if (name != nullptr) {
      place.function = name;
      place.in_function = in_function + 1;
    }
    places.push_back(std::move(place));
  }

  const Libdw* calls_;
  Dwfl_Callbacks callbacks_{};
  Dwfl* dwfl_ = nullptr;
  bool is_attached_ = false;
  const Moment* moment_ = nullptr;
  std::vector<std::pair<std::uint64_t, bool>> found_;
};

CallChains::CallChains(const std::vector<Mapped>& files)
    : session_(std::make_unique<Session>(files)) {}
CallChains::~CallChains() = default;

std::vector<Place> CallChains::find(const Moment& moment) { return session_->find(moment); }

}  // namespace nestbind::cli::source
