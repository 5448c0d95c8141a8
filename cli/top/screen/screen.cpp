// SPDX-License-Identifier: BSD-3-Clause
// Draws on the terminal, by ncurses.
#include <curses.h>
#include <errno.h>
#include <stdio.h>

#include "cli/top/screen/screen_border.hpp"

namespace nestbind::cli::top {

namespace {

SCREEN* g_screen = nullptr;

// Terminals usually have at most kMost pairs of colours.
struct Pairs {
  static constexpr int kMost = 64;
  int text[kMost];
  int background[kMost];
  int count;
};
Pairs g_pairs{};

int pair_of(int text, int background) {
  if (!has_colors() || (text < 0 && background < 0) || text >= COLORS || background >= COLORS) {
    return 0;
  }
  int at = 0;
  while (at < g_pairs.count && (g_pairs.text[at] != text || g_pairs.background[at] != background)) {
    ++at;
  }
  if (at == Pairs::kMost || at + 1 >= COLOR_PAIRS) {
    return 0;
  }
  if (at == g_pairs.count) {
    g_pairs.text[at] = text;
    g_pairs.background[at] = background;
    ++g_pairs.count;
    init_pair(static_cast<short>(at + 1), static_cast<short>(text), static_cast<short>(background));
  }
  return at + 1;
}

void end() {
  if (g_screen != nullptr) {
    endwin();
    delscreen(g_screen);
    g_screen = nullptr;
  }
}

const char* begin() {
  g_screen = newterm(nullptr, stdout, stdin);
  // Without "cup" the terminal cannot move the cursor to a row.
  if (g_screen == nullptr || tigetstr("cup") == nullptr) {
    end();
    return "TERM names no terminal that can be drawn on";
  }
  cbreak();
  noecho();
  nonl();
  intrflush(stdscr, FALSE);
  keypad(stdscr, TRUE);
  nodelay(stdscr, TRUE);
  set_escdelay(25);
  curs_set(0);
  if (has_colors()) {
    start_color();
    use_default_colors();
  }
  return nullptr;
}

void size(int* rows, int* columns) {
  *rows = LINES;
  *columns = COLS;
}

void clear_screen() { erase(); }

void put(int row, int column, const char* text, const ScreenStyle* style) {
  const attr_t attributes = (style->is_bold ? A_BOLD : A_NORMAL) |
                            (style->is_reversed ? A_REVERSE : A_NORMAL) |
                            (style->is_faint ? A_DIM : A_NORMAL);
  attr_set(attributes, static_cast<short>(pair_of(style->text, style->background)), nullptr);
  if (move(row, column) == OK) {
    addstr(text);
  }
}

void show() { refresh(); }

int key() {
  errno = 0;
  const int code = getch();
  switch (code) {
    case ERR:
      return kNoKey;
    case KEY_RESIZE:
      return kResized;
    case KEY_UP:
      return kKeyUp;
    case KEY_DOWN:
      return kKeyDown;
    case KEY_PPAGE:
      return kKeyPageUp;
    case KEY_NPAGE:
      return kKeyPageDown;
    case KEY_HOME:
      return kKeyHome;
    default:
      return code;
  }
}

}  // namespace

extern "C" __attribute__((visibility("default"))) const ScreenApi nestbind_screen_1;
const ScreenApi nestbind_screen_1 = {begin, end, size, clear_screen, put, show, key};

}  // namespace nestbind::cli::top
