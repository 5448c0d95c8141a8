# SPDX-License-Identifier: BSD-3-Clause
# Makes from lstopo's XML the lines that host/machine.sh makes from a description: the processors of each package, NUMA node and
# core, the memory of each node, and the distances between nodes.

function attribute(name,    text) {
  if (!match($0, " " name "=\"[^\"]*\"")) return ""
  text = substr($0, RSTART, RLENGTH)
  sub(/^[^"]*"/, "", text)
  sub(/"$/, "", text)
  return text
}

# Changes a mask in hwloc's form to numbers: "0x00000001,0xf0000000" -> " 28 29 30 31 32". The most significant word is first. A word
# that is empty is 0.
function processors(mask,    words, count, word, nibble, bit, digit, list, digits) {
  count = split(mask, words, ",")
  list = ""
  for (word = count; word >= 1; word--) {
    digits = tolower(words[word])
    sub(/^0x/, "", digits)
    for (nibble = 0; nibble < length(digits); nibble++) {
      digit = index("0123456789abcdef", substr(digits, length(digits) - nibble, 1)) - 1
      for (bit = 0; bit < 4; bit++) {
        if (digit % 2) list = list " " ((count - word) * 32 + nibble * 4 + bit)
        digit = int(digit / 2)
      }
    }
  }
  return list
}

/<object / {
  type = attribute("type")
  if (type == "Package") print "package" processors(attribute("cpuset"))
  if (type == "Core") print "core" processors(attribute("cpuset"))
  if (type == "NUMANode") {
    node = attribute("os_index")
    print "node " node ":" processors(attribute("cpuset"))
    # This is less than the node's memory, because the kernel reserves memory for itself, mostly on the first node.
    print "memory " node ": " int(attribute("local_memory") / 1048576)
  }
}

/<distances2 / { matrix = attribute("name") == "NUMALatency" ? attribute("nbobjs") + 0 : 0 }
/<u64values / && matrix {
  gsub(/<[^>]*>/, "")
  count = split($0, fields, " ")
  for (field = 1; field <= count; field++) values[++read] = fields[field]
}
/<\/distances2>/ {
  for (row = 0; row < matrix; row++) {
    line = "distance"
    for (column = 1; column <= matrix; column++) line = line " " values[row * matrix + column]
    print line
  }
  matrix = 0
}
