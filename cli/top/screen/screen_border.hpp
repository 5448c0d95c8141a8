// SPDX-License-Identifier: BSD-3-Clause
// The border of libnestbind-screen.so, which has ncurses and is loaded where a terminal is drawn
// on: what starts programs need not load it. C types only; no exception crosses it.
#pragma once

namespace nestbind::cli::top {

struct ScreenStyle {
  int text;        // of 256 colours; -1: the terminal's own
  int background;  // likewise
  bool is_bold;
  bool is_reversed;
  bool is_faint;
};

// What key() returns beside characters.
enum ScreenKey : int {
  kNoKey = -1,
  kResized = -2,
  kKeyUp = -3,
  kKeyDown = -4,
  kKeyPageUp = -5,
  kKeyPageDown = -6,
  kKeyHome = -7
};

struct ScreenApi {
  // Takes the terminal of descriptors 0 and 1. Returns null, or why that cannot be.
  const char* (*begin)();
  // Gives it back as it was. Also where it was not taken.
  void (*end)();
  void (*size)(int* rows, int* columns);
  // Draws: clear, texts (in the locale's characters), then show.
  void (*clear)();
  void (*put)(int row, int column, const char* text, const ScreenStyle* style);
  void (*show)();
  // The next key, without waiting.
  int (*key)();
};

// Exported by libnestbind-screen.so.
inline constexpr char kScreenSymbol[] = "nestbind_screen_1";
inline constexpr char kScreenFile[] = "libnestbind-screen.so";

}  // namespace nestbind::cli::top
