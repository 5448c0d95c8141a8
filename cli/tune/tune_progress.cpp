// SPDX-License-Identifier: BSD-3-Clause
#include "cli/tune/tune_progress.hpp"

#include <fmt/core.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>

namespace nestbind::cli::tune {

std::string figure(double number) {
  constexpr double kWhole = 1000;
  return std::fabs(number) >= kWhole ? fmt::format("{:.0f}", number)
                                     : fmt::format("{:.4g}", number);
}

std::string duration(double seconds) {
  constexpr int kMinute = 60;
  constexpr int kHour = 3600;
  if (seconds < 0.0995) {
    return fmt::format("{:.0f} ms", 1000 * seconds);
  }
  if (seconds < 9.95) {
    return fmt::format("{:.1f} s", seconds);
  }
  const auto whole = static_cast<long>(std::lround(seconds));
  if (whole < kMinute) {
    return fmt::format("{} s", whole);
  }
  if (whole < kHour) {
    return fmt::format("{} min {} s", whole / kMinute, whole % kMinute);
  }
  return fmt::format("{} h {} min", whole / kHour, whole % kHour / kMinute);
}

std::optional<double> read_duration(const std::string& text) {
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  const std::string unit = end;
  const double factor = unit.empty() || unit == "s" ? 1 : unit == "m" ? 60 : unit == "h" ? 3600 : 0;
  const double seconds = number * factor;
  return end != text.c_str() && std::isfinite(seconds) && seconds > 0 ? std::optional(seconds)
                                                                      : std::nullopt;
}

namespace {

constexpr std::chrono::seconds kBetweenLines(60);  // if the output is no terminal
constexpr std::size_t kBar = 20;

}  // namespace

std::string progress_line(const trial::Trial& trial, double seconds_left) {
  const int done = trial.runs_done();
  const int all = std::max(1, done + trial.runs_left());
  const std::size_t filled = kBar * static_cast<std::size_t>(done) / static_cast<std::size_t>(all);
  const bool is_final = trial.phase() != trial::Phase::kSelection;
  const std::string left =
      trial.runs_done() == 0 ? "" : fmt::format("; {} left", duration(std::max(0.0, seconds_left)));
  return fmt::format("[{}{}] {} of {}{} runs, {}, round {} of {}{}", std::string(filled, '#'),
                     std::string(kBar - filled, '.'), done,
                     is_final                   ? ""
                     : trial.rules().budget > 0 ? "about "
                                                : "at most ",
                     all, is_final ? "final" : "selection",
                     std::min(trial.round() + 1, trial.rounds()), trial.rounds(), left);
}

Progress::Progress(std::FILE* file) : file_(file), is_terminal_(isatty(fileno(file)) == 1) {}

void Progress::show(const trial::Trial& trial) {
  trial_ = &trial;
  run_began_ = Clock::now();
  tick();
}

void Progress::tick() {
  if (trial_ != nullptr &&
      (is_terminal_ || !has_written_ || Clock::now() - written_ >= kBetweenLines)) {
    write();
  }
}

// The next line overwrites only one row, so a line is cut to one row.
std::string Progress::in_one_row(const std::string& line) const {
  constexpr int kUsual = 80;
  winsize size{};
  const bool is_known = ioctl(fileno(file_), TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return line.substr(0, static_cast<std::size_t>(is_known ? size.ws_col : kUsual) - 1);
}

void Progress::write() {
  const double running = std::chrono::duration<double>(Clock::now() - run_began_).count();
  const std::string line = progress_line(*trial_, trial_->seconds_left() - running);
  const std::string text = is_terminal_ ? fmt::format("\r{}\033[K", in_one_row(line))
                                        : fmt::format("nestbind: {}\n", line);
  std::fwrite(text.data(), 1, text.size(), file_);
  std::fflush(file_);
  has_written_ = true;
  written_ = Clock::now();
}

void Progress::clear() {
  if (is_terminal_ && has_written_) {
    std::fputs("\r\033[K", file_);
    std::fflush(file_);
  }
  has_written_ = false;
  trial_ = nullptr;
}

}  // namespace nestbind::cli::tune
