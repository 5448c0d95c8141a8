// SPDX-License-Identifier: BSD-3-Clause

#include <dlfcn.h>
#include <fmt/core.h>
#include <langinfo.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <clocale>
#include <cmath>
#include <cstring>

#include "cli/top/process_files.hpp"
#include "cli/top/screen/screen_border.hpp"
#include "cli/top/view.hpp"
#include "show/picture.hpp"

namespace nestbind::cli::top {

namespace {

volatile sig_atomic_t g_signal = 0;
void note_signal(int number) { g_signal = number; }

constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

// Blocks the signals that end the program, so that they come only while the program waits.
class Signals {
 public:
  Signals() {
    sigset_t held;
    sigemptyset(&held);
    struct sigaction action{};
    action.sa_handler = note_signal;
    for (const int number : kSignals) {
      struct sigaction before{};
      // Ignored signals stay ignored: nohup(1) makes a job ignore SIGHUP.
      if (sigaction(number, nullptr, &before) == 0 && before.sa_handler != SIG_IGN) {
        sigaction(number, &action, nullptr);
        sigaddset(&held, number);
      }
    }
    sigprocmask(SIG_BLOCK, &held, &before_);
  }
  const sigset_t& while_waiting() const { return before_; }

 private:
  sigset_t before_{};
};

ScreenStyle style_of(const Part& part) {
  ScreenStyle style{-1, -1, false, false, false};
  if (part.team >= 0) {
    const show::TeamColour& colour = show::colour_of(part.team);
    style.text = colour.text;
    style.background = colour.background;
    return style;
  }
  constexpr int kRed = 1;
  style.is_bold = part.style == Style::kTitle || part.style == Style::kWarning;
  style.is_reversed = part.style == Style::kHeading;
  style.is_faint = part.style == Style::kFaint;
  style.text = part.style == Style::kWarning ? kRed : -1;
  return style;
}

class Session {
 public:
  Session(const ScreenApi& screen, Watched& watched, const Host& host,
          const std::optional<machine::Hardware>& hardware, const Shown& shown)
      : screen_(screen), watched_(watched), host_(host), hardware_(hardware), delay_(shown.delay) {
    view_.order = shown.order;
    is_utf8_ = std::strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
  }

  // Returns the signal that ended the run, or 0 if the user quit.
  int run(const Signals& signals) {
    double next = 0;
    while (true) {
      if (seconds_now() >= next) {
        look();
        next = seconds_now() + delay_;
      }
      draw();
      const bool has_input = wait(next - seconds_now(), signals.while_waiting());
      if (g_signal != 0) {
        return g_signal;
      }
      if (!take_keys(has_input, next)) {
        return 0;
      }
    }
  }

 private:
  void look() {
    before_ = std::move(now_);
    now_ = watched_.look();
    if (view_.wants_pages) {
      read_pages_of_all();
    }
  }

  // A process cannot map memory while its pages are read. So pages are read at most every ten
  // seconds.
  void read_pages_of_all() {
    constexpr double kEvery = 10;
    view_.wants_pages = false;
    if (pages_at_ != 0 && seconds_now() - pages_at_ < kEvery) {
      said_ =
          fmt::format("pages: again in {:.0f} s", std::ceil(kEvery - (seconds_now() - pages_at_)));
      return;
    }
    said_.clear();
    pages_.clear();
    for (const ProcessSample& process : now_.processes) {
      if (const auto pages = process.has_ended ? std::nullopt : read_pages(process.process)) {
        pages_[process.process] = *pages;
      }
    }
    pages_at_ = seconds_now();
    said_ = pages_.empty() ? "the kernel does not show pages" : "";
  }

  void draw() {
    Size size;
    screen_.size(&size.rows, &size.columns);
    auto blocks =
        blocks_of(before_.processes.empty() ? nullptr : &before_, now_, host_, view_.order);
    for (Block& block : blocks) {
      const auto pages = pages_.find(block.process);
      block.pages = pages == pages_.end() ? std::nullopt : std::optional(pages->second);
    }
    auto lines = lines_of(blocks, view_, hardware_, size, is_utf8_);
    lines_ = static_cast<int>(lines.size());
    screen_.clear();
    int row = 0;
    for (const TextLine& line : screen_of(std::move(lines), view_, size, said_)) {
      int column = 0;
      for (const Part& part : line) {
        const ScreenStyle style = style_of(part);
        screen_.put(row, column, part.text.c_str(), &style);
        column += show::width_of({{part.text, -1}});
      }
      ++row;
    }
    screen_.show();
  }

  bool wait(double seconds, const sigset_t& mask) {
    const double left = std::max(seconds, 0.0);
    const timespec time{static_cast<time_t>(left),
                        static_cast<long>((left - std::floor(left)) * 1e9)};
    pollfd input{STDIN_FILENO, POLLIN, 0};
    return ppoll(&input, 1, &time, &mask) > 0;
  }

  bool take_keys(bool has_input, double& next) {
    Size size;
    screen_.size(&size.rows, &size.columns);
    bool is_any = false;
    for (int code = screen_.key(); code != kNoKey; code = screen_.key()) {
      is_any = true;
      const Key key = key_of(code);
      if (key == Key::kQuit) {
        return false;
      }
      next = key == Key::kRefresh ? 0 : next;
      apply(key, lines_, std::max(size.rows - 1, 0), view_);
    }
    if (view_.wants_pages) {
      read_pages_of_all();
    }
    return is_any || !has_input;
  }

  const ScreenApi& screen_;
  Watched& watched_;
  const Host& host_;
  const std::optional<machine::Hardware>& hardware_;
  double delay_;
  bool is_utf8_ = false;
  View view_;
  Sample before_;
  Sample now_;
  std::map<int, Pages> pages_;
  double pages_at_ = 0;
  std::string said_;
  int lines_ = 0;
};

}  // namespace

std::string show_interactively(Watched& watched, const Host& host,
                               const std::optional<machine::Hardware>& hardware,
                               const Shown& shown) {
  void* const module = dlopen(shown.module.c_str(), RTLD_NOW | RTLD_LOCAL);
  const auto* screen =
      module == nullptr ? nullptr : static_cast<const ScreenApi*>(dlsym(module, kScreenSymbol));
  if (screen == nullptr) {
    const char* why = dlerror();
    return fmt::format("there is no screen: {}", why == nullptr ? "the module is incomplete" : why);
  }
  std::setlocale(LC_CTYPE, "");
  const Signals signals;
  if (const char* why = screen->begin()) {
    return fmt::format("there is no screen: {}", why);
  }
  int signal = 0;
  try {
    signal = Session(*screen, watched, host, hardware, shown).run(signals);
  } catch (...) {
    screen->end();
    throw;
  }
  screen->end();
  if (signal != 0 && signal != SIGINT) {
    ::signal(signal, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    raise(signal);
    sigprocmask(SIG_SETMASK, &none, nullptr);
  }
  return "";
}

}  // namespace nestbind::cli::top
