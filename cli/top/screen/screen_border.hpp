// SPDX-License-Identifier: BSD-3-Clause
// The interface of libnestbind-screen.so (ncurses), which is loaded only to draw.
#pragma once

namespace nestbind::cli::top {

struct ScreenStyle {
  int text;  // one of 256 colours, or -1 for the terminal's own
  int background;
  bool is_bold;
  bool is_reversed;
  bool is_faint;
};

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
  // Opens the terminal of the standard input and output. Returns null, or an error message.
  const char* (*begin)();
  // Restores the terminal. Does nothing if begin was not called or has failed.
  void (*end)();
  void (*size)(int* rows, int* columns);
  // To draw, call clear, then call put for each text, then call show. A text has the locale's
  // encoding.
  void (*clear)();
  void (*put)(int row, int column, const char* text, const ScreenStyle* style);
  void (*show)();
  // Returns the next key without waiting.
  int (*key)();
};

inline constexpr char kScreenSymbol[] = "nestbind_screen_1";
inline constexpr char kScreenFile[] = "libnestbind-screen.so";

}  // namespace nestbind::cli::top
