// SPDX-License-Identifier: BSD-3-Clause
// What is drawn at which column and row: the same for a terminal and for a graphic.
#pragma once

#include <string>
#include <vector>

#include "show/picture.hpp"
#include "show/picture/contents.hpp"

namespace nestbind::show::picture {

// A box. Its title and foot are in its first and last lines.
struct Frame {
  int x = 0;
  int y = 0;
  int columns = 0;
  int rows = 0;
  int depth = 0;  // number of frames around it
  std::string title;
  std::string foot;  // empty: it does not fit
};

// Adjacent hardware threads of a core, in its tile.
struct Field {
  int x = 0;
  int columns = 0;
  Line names;
  bool is_taken = false;
  int team = -1;  // set if all names are of one outer team
};

// A core. Several hardware threads are in brackets, with a line between their fields.
struct Tile {
  int x = 0;
  int y = 0;
  int columns = 0;
  bool has_brackets = false;
  std::vector<Field> fields;
};

struct Text {
  int x = 0;
  int y = 0;
  Line line;
};

struct Scene {
  int columns = 0;
  int rows = 0;
  std::vector<Frame> frames;  // outer ones first
  std::vector<Tile> tiles;
  std::vector<Text> texts;
};

}  // namespace nestbind::show::picture
