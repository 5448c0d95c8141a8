#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""symbols.py [--all] [--make] [--libraries] [--exports BUILD] BUILD...: checks the project's rules in the object files of these builds.
File A uses file B if A has an undefined strong symbol that B defines. Inline and weak symbols belong to no file. --all: it is also a
fault if no build needs an entry of the lists in rooms.py. --make: compiles the object files first, but links nothing. --libraries: leaves
out the files of the command. --exports: a build in which the libraries are linked, to check their exported symbols. Prints the tables of
functions, each fault, and a last line."""

import argparse
import collections
import pathlib
import re
import subprocess
import sys

sys.dont_write_bytecode = True

import objects
from rooms import HOUSE

# The functions that nestbind offers to programs and instruments. All other exported functions interpose functions of other libraries.
OWN_INTERFACE = re.compile(r"nestbind_|omp_[gs]et_nesting_info")
OURS = re.compile(r"(nestbind_|omp_[gs]et_nesting_info|_ZN8nestbind)\w*$")


class Names:
    """Demangles symbols, for messages."""

    def __init__(self):
        self.known = {}
        self.without_parameters = {}

    def learn(self, symbols):
        new = sorted(set(symbols) - set(self.known))
        for known, options in ((self.known, []), (self.without_parameters, ["--no-params"])):
            plain = subprocess.run(["c++filt", *options], input="\n".join(new), capture_output=True, text=True,
                                   check=True).stdout
            known.update(zip(new, plain.split("\n")))

    def whole(self, symbol):
        return self.known.get(symbol, symbol)

    def short(self, symbol):
        """Returns the demangled name without parameters, template arguments and unnamed namespaces."""
        name = self.without_parameters.get(symbol, symbol).replace("(anonymous namespace)::", "")
        return re.sub(r"<.*>|\[abi:\w+\]", "", name)


def components(graph):
    """Returns the strongly connected components with more than one node, by Tarjan's algorithm."""
    number, low, stack, found = {}, {}, [], []

    def visit(node):
        number[node] = low[node] = len(number)
        stack.append(node)
        for other in graph.get(node, ()):
            if other not in number:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in stack:
                low[node] = min(low[node], number[other])
        if low[node] == number[node]:
            begin = stack.index(node)
            if len(stack) - begin > 1:
                found.append(sorted(stack[begin:]))
            del stack[begin:]

    for node in sorted(graph):
        if node not in number:
            visit(node)
    return found


class Checks:
    """The checks of one target. `exports`: whether the target exports symbols. `exported`: the exported symbols; None if not known."""

    def __init__(self, house, files, exports, names, exported=None):
        self.house, self.files, self.names, self.exported = house, files, names, exported
        self.owner = {symbol: file for file in files for symbol in file.strong}
        self.arrows = collections.defaultdict(lambda: collections.defaultdict(set))
        for file in files:
            for symbol in file.needs & self.owner.keys():
                self.arrows[file.name][self.owner[symbol].name].add(symbol)
        self.for_others = {
            symbol: file.name for file in files for symbol, found in file.strong.items()
            if exports and found.visibility == objects.STV_DEFAULT and not symbol.startswith("_Z")}
        self.before_others = {symbol for symbol in self.for_others if not OWN_INTERFACE.match(symbol)}
        self.used = set()
        self.tables = collections.defaultdict(set)
        names.learn({s.name for f in files for s in f.symbols if s.name})

    def let_through(self, listed, key):
        if key not in getattr(self.house, listed):
            return False
        self.used.add((listed, key))
        return True

    def some(self, symbols, most=3):
        plain = sorted({self.names.short(s) for s in symbols})
        return ", ".join(plain[:most]) + (f" and {len(plain) - most} more" if len(plain) > most else "")

    def circles(self, arrows, what):
        for members in components(arrows):
            yield f"cycle of {len(members)} {what}: {', '.join(members)}" + "".join(
                f"\n    {a} uses {b}: {self.some(arrows[a][b])}"
                for a in members for b in sorted(arrows[a]) if b in members)

    def file_cycles(self):
        yield from self.circles(self.arrows, "files")

    def folder_cycles(self):
        folders = collections.defaultdict(lambda: collections.defaultdict(set))
        for user, used in self.arrows.items():
            for other, symbols in used.items():
                a, b = self.house.room_of(user), self.house.room_of(other)
                if a != b:
                    folders[a][b] |= symbols
        yield from self.circles(folders, "folders")

    def folder_arrows(self):
        for room in sorted({self.house.room_of(f.name) for f in self.files} - set(self.house.rooms)):
            yield f"{room} has no row in tests/structure/rooms.py"
        for user, used in sorted(self.arrows.items()):
            room = self.house.room_of(user)
            for other, symbols in sorted(used.items()):
                if room in self.house.rooms and not self.house.may_know(room, other):
                    yield f"{room} may not use {self.house.room_of(other)}: {user} uses {other}: {self.some(symbols)}"

    def hooks_from_inside(self):
        for file in self.files:
            called = {r.symbol.name for r in file.references if r.in_code and r.is_call}
            for symbol in sorted((file.needs | called) & self.before_others):
                if not self.let_through("hooks_from_inside", (file.name, symbol)):
                    yield f"hook called from inside: {file.name} uses {symbol} of {self.owner[symbol].name}"

    def not_exported(self):
        """Reports each function that interposes another function, but is missing in the library's map. Nobody would call such a function,
        and the linker does not report this."""
        for symbol, file in sorted(self.for_others.items() if self.exported is not None else ()):
            if symbol not in self.exported:
                yield f"not exported: {symbol} of {file} is not in the library's map"

    def weak_cuts(self):
        defined = {s for f in self.files for s in (*f.strong, *f.weak)}
        weakly = {s: f.name for f in self.files for s in f.weak}
        for file in self.files:
            # _ZTH...: the compiler's weak reference to the function that initialises a thread-local variable.
            for symbol in sorted(s for s in file.needs_weakly & defined if not s.startswith("_ZTH")):
                yield f"weak cut: {file.name} needs {self.names.short(symbol)} weakly, and it is ours"
            for symbol in sorted(file.needs & weakly.keys() - self.owner.keys()):
                yield f"weak cut: {file.name} needs {self.names.short(symbol)}, which {weakly[symbol]} defines weakly"

    def definition(self, symbol):
        """Returns the definition of a symbol in nestbind's files, or None if there is none."""
        if symbol.undefined:
            return self.owner[symbol.name].strong[symbol.name] if symbol.name in self.owner else None
        return symbol

    def function_tables(self):
        for file in self.files:
            for reference in file.references:
                found = self.definition(reference.symbol)
                # Virtual tables of classes and references to inline functions do not count.
                if (not reference.in_code and found and found.type == objects.STT_FUNC and
                        found.bind != objects.STB_WEAK and not reference.table.startswith("_ZT")):
                    table = self.names.short(reference.table).split("::")[-1]
                    self.tables[file.name, table].add(self.names.short(found.name).split("::")[-1])
        for key, functions in sorted(self.tables.items()):
            if not self.let_through("function_tables", key):
                yield f"table of functions: {key[1]} in {key[0]} has {', '.join(sorted(functions))}"

    def handed_on(self):
        for file in self.files:
            taken = {self.names.short(r.symbol.name) for r in file.references
                     if r.in_code and not r.is_call and r.symbol.undefined and self.definition(r.symbol) and
                     self.definition(r.symbol).type == objects.STT_FUNC}
            for name in sorted(taken):
                if not self.let_through("handed_on", (file.name, name)):
                    yield f"function handed on: {file.name} takes the address of {name}"

    def takes_function(self):
        taking = {self.names.short(s): f.name for f in self.files for s, found in f.strong.items()
                  if found.type == objects.STT_FUNC and s.startswith("_Z") and
                  "(*)(" in self.names.whole(s).partition("(")[2]}
        for name, file in sorted(taking.items()):
            if not self.let_through("takes_function", name):
                yield f"function set from outside: {name} in {file} takes a pointer to a function"

    def shared_variables(self):
        shared = {}
        for file in self.files:
            for symbol in file.needs & self.owner.keys():
                owner = self.owner[symbol]
                found = owner.strong[symbol]
                if found.type != objects.STT_FUNC and owner.is_written(found):
                    shared[self.names.short(symbol)] = f"{owner.name} is used in {file.name}"
        for name, where in sorted(shared.items()):
            if not self.let_through("shared_variables", name):
                yield f"variable of two files: {name} of {where}"

    def names_in_texts(self, ours):
        for file in self.files:
            for name in sorted(file.texts & ours):
                if not self.let_through("names_in_texts", (file.name, name)):
                    yield f"name of ours as a text: {file.name} has \"{self.names.short(name)}\""

    def all(self, ours):
        for check in (self.file_cycles, self.folder_cycles, self.folder_arrows, self.hooks_from_inside, self.weak_cuts,
                      self.not_exported, self.function_tables, self.handed_on, self.takes_function, self.shared_variables):
            yield from check()
        yield from self.names_in_texts(ours)


LISTS = ("hooks_from_inside", "function_tables", "handed_on", "takes_function", "shared_variables", "names_in_texts")


def check(house, builds, all_builds=True, exported=None):
    """Checks {(build, target): files}. The first result has each fault's builds and targets. The second result has the tables of functions.
    `exported` has the exported names for each (build, target)."""
    found = collections.defaultdict(list)
    used, tables, names = set(), {}, Names()
    ours = {s for files in builds.values() for f in files for s in f.strong if OURS.match(s)}
    for (build, linked), files in builds.items():
        checks = Checks(house, files, ".so" in linked, names, (exported or {}).get((build, linked)))
        for fault in checks.all(ours):
            found[fault].append(f"{build} {linked}")
        used |= checks.used
        tables.update(checks.tables)
    for listed in LISTS if all_builds else ():
        for key, reason in getattr(house, listed).items():
            if (listed, key) not in used and not reason.startswith("unoptimised"):
                found[f"not needed in {listed.upper()}: {key}"].append("rooms.py")
    return found, tables


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", metavar="BUILD")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--make", action="store_true")
    parser.add_argument("--libraries", action="store_true")
    parser.add_argument("--exports", metavar="BUILD")
    arguments = parser.parse_args()
    builds, exported = {}, {}
    for folder in arguments.folders:
        try:
            for linked, files in objects.objects_of(folder, arguments.make, arguments.libraries).items():
                builds[pathlib.Path(folder).name, linked] = files
                exported[pathlib.Path(folder).name, linked] = objects.exported(arguments.exports or folder, linked)
        except (OSError, ValueError) as error:
            sys.exit(f"symbols: {folder} cannot be read: {error}")
    found, tables = check(HOUSE, builds, arguments.all, exported)
    for (file, table), functions in sorted(tables.items()):
        print(f"table {table} in {file}: {', '.join(sorted(functions))}")
    for fault, where in found.items():
        print(f"FAIL {fault}\n    in {', '.join(where)}")
    files = {file.name for files in builds.values() for file in files}
    print(f"symbols: {len(files)} files in {len(builds)} libraries and programs, {len(found)} faults")
    return 1 if found or not files else 0


if __name__ == "__main__":
    sys.exit(main())
