# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2154
# Directives that a tool does not know, and would stumble over, are hidden from it, and stay as they
# are. Of a parallel region that is hidden the user is told: POMP does not report it.

# hide_directives TOOL SOURCE < text: OPARI 1 knows the constructs of OpenMP 2 alone; both take a
# parallel region apart by the words that they know.
hide_directives() {
  TOOL=$1 SOURCE=$2 awk '
    BEGIN {
      if (ENVIRON["TOOL"] == "opari1") {
        count = split("parallel for do sections section single master critical barrier atomic flush" \
                      " ordered threadprivate workshare end", names, " ")
        for (i = 1; i <= count; ++i) known[names[i]] = 1
      }
      tell = ENVIRON["TOOL"] == "opari1" ? "OPARI 1" : "OPARI2"
      file = ENVIRON["SOURCE"]
    }
    function is_hidden(text,    words, count, first) {
      gsub(/\(.*/, "", text)
      count = split(tolower(text), words, /[ \t,&\\]+/)
      first = words[1] == "" ? 2 : 1
      if (words[first] == "end") ++first
      if (ENVIRON["TOOL"] == "opari1" && !(words[first] in known)) return 1
      if (words[first] != "parallel") return 0
      if (words[first + 1] ~ /^(master|masked|loop)$/) return 2
      return words[first + 1] ~ /^(for|do)$/ && words[first + 2] == "simd" ? 2 : 0
    }
    function hide(directive,    kind) {
      kind = is_hidden(directive)
      if (kind == 2 && tolower(directive) !~ /^[ \t]*end/) {
        printf "nestbind-instrument: %s:%d: %s does not know this parallel region, which stays as it is:%s\n",
          file, number, tell, directive > "/dev/stderr"
      }
      return kind != 0
    }
    /^# [0-9]+ "/ {
      number = $2 - 1
      name = $0
      sub(/^# [0-9]+ "/, "", name)
      sub(/"[ 0-9]*$/, "", name)
      if (name !~ /^</) file = name
      print
      next
    }
    { ++number }
    match($0, /^[ \t]*#[ \t]*pragma[ \t]+omp[ \t]/) {
      if (hide(substr($0, RLENGTH))) sub(/pragma[ \t]+omp/, "pragma nestbind_hidden omp")
    }
    match($0, /^[ \t]*[!cC*]\$[oO][mM][pP]/) {
      rest = substr($0, RLENGTH + 1)
      # A continuation is hidden with its first line.
      if (!continued && (rest !~ /^[^ 0\t]/ || substr($0, 1, 1) !~ /[!cC*]/)) hidden = hide(rest)
      continued = $0 ~ /&[ \t]*(!.*)?$/ && substr($0, 1, RLENGTH) ~ /!/
      if (hidden) sub(/\$[oO][mM][pP]/, "NESTBIND&")
    }
    { print }
  '
}

show_directives() {
  sed -i -e 's/pragma nestbind_hidden omp/pragma omp/' \
    -e 's/^\([ \t]*[!cC*]\)NESTBIND\(\$[oO][mM][pP]\)/\1\2/' "$@" || exit 1
}
