// SPDX-License-Identifier: BSD-3-Clause
// What is drawn where, in columns and rows: the same for a terminal and for a graphic.
#pragma once

#include <string>
#include <vector>

#include "show/picture.hpp"
#include "show/picture/contents.hpp"

namespace nestbind::show::picture {

// A box: what it says stands in the lines that it consists of.
struct Frame {
  int x = 0;
  int y = 0;
  int columns = 0;
  int rows = 0;
  int depth = 0;  // how many frames are around it
  std::string title;
  std::string foot;  // empty: none fits
};

// Neighbouring hardware threads of a core, in its tile.
struct Field {
  int x = 0;
  int columns = 0;
  Line names;
  bool is_taken = false;
  int team = -1;  // if all names are of one outer team
};

// A core. Several hardware threads are in brackets, with a line between fields.
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
