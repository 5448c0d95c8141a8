# SPDX-License-Identifier: BSD-3-Clause
"""Reads the object files of the targets in a build folder: their symbols, relocations and strings. This module reads ELF itself, because
tools such as nm do not say which instruction or table refers to a symbol."""

import dataclasses
import json
import pathlib
import re
import struct
import subprocess

from rooms import short

# The linked files, with the names of their targets in CMake.
LINKED = {
    "libnestbind.so": "nestbind",
    "libnestbind-planner.so": "nestbind-planner",
    "libnestbind-topology.so": "nestbind-topology",
    "libnestbind-memory.so": "nestbind-memory",
    "nestbind-scotch": "nestbind-scotch",
    "libnestbind-slurm.so": "nestbind-slurm",
    "libnestbind-pomp.so": "nestbind-pomp",
    "libnestbind-pomp2.so": "nestbind-pomp2",
    "nestbind": "nestbind-command",
}

SHT_SYMTAB, SHT_RELA, SHT_NOBITS = 2, 4, 8
SHF_WRITE, SHF_ALLOC, SHF_EXECUTABLE = 1, 2, 4
STB_LOCAL, STB_WEAK = 0, 2
STT_OBJECT, STT_FUNC, STT_SECTION, STT_TLS = 1, 2, 3, 6
STV_DEFAULT = 0
# The relocations of a call or jump to a function: PLT32 on x86-64, JUMP26 and CALL26 on AArch64.
CALLS = {62: {4}, 183: {282, 283}}
# The relocations of a 64-bit address.
ADDRESSES = {62: {1}, 183: {257}}
# AddressSanitizer makes names that begin with these words.
OF_SANITIZERS = ("__odr_asan_gen_", "__const.")
# Sections in which a table of functions may be.
TABLES = re.compile(r"\.(data|rodata|tdata|bss)")


@dataclasses.dataclass
class Section:
    name: str
    kind: int
    flags: int
    offset: int
    size: int
    link: int
    info: int


@dataclasses.dataclass
class Symbol:
    name: str
    bind: int
    type: int
    visibility: int
    section: int  # 0 if the symbol is undefined
    value: int
    size: int

    @property
    def undefined(self):
        return self.section == 0


@dataclasses.dataclass
class Reference:
    """A place in code or in a table that refers to a symbol."""
    symbol: Symbol
    in_code: bool
    is_call: bool
    table: str  # the variable that contains the reference, or empty in code


class ObjectFile:
    """`name` is the path of its source in the source tree."""

    def __init__(self, name, path):
        self.name = name
        self.folder = str(pathlib.PurePosixPath(name).parent)
        self.data = pathlib.Path(path).read_bytes()
        if self.data[:6] != b"\x7fELF\x02\x01":
            raise ValueError(f"{path}: not a 64-bit little-endian object file")
        self.machine, = struct.unpack_from("<H", self.data, 18)
        self.sections = self._sections()
        self.symbols = self._symbols()
        own = [s for s in self.symbols if s.name and s.bind != STB_LOCAL and not s.undefined and not s.name.startswith(OF_SANITIZERS)]
        wanted = [s for s in self.symbols if s.name and s.bind != STB_LOCAL and s.undefined]
        # A weak symbol and a GNU unique symbol (an inline variable) belong to no file.
        self.strong = {s.name: s for s in own if s.bind == 1}
        self.weak = {s.name: s for s in own if s.bind != 1}
        self.needs = {s.name for s in wanted if s.bind == 1}
        self.needs_weakly = {s.name for s in wanted if s.bind == STB_WEAK}
        self.references = list(self._references())
        self.texts = self._texts()
        # AddressSanitizer adds the names of the file's variables as strings, which do not count.
        if any(s.name.startswith("__asan_") for s in wanted):
            self.texts -= {name for name, symbol in self.strong.items() if symbol.type != STT_FUNC}
        del self.data

    def _name(self, table, offset):
        begin = table.offset + offset
        return self.data[begin:self.data.index(b"\0", begin)].decode()

    def _sections(self):
        begin, = struct.unpack_from("<Q", self.data, 40)
        size, count, names = struct.unpack_from("<HHH", self.data, 58)
        # The header's fields have 16 bits. The first section has larger numbers.
        first = struct.unpack_from("<IIQQQQIIQQ", self.data, begin)
        count, names = count or first[5], first[6] if names == 0xffff else names
        sections = []
        for i in range(count):
            field = struct.unpack_from("<IIQQQQIIQQ", self.data, begin + i * size)
            sections.append(Section(field[0], field[1], field[2], field[4], field[5], field[6], field[7]))
        for section in sections:
            section.name = self._name(sections[names], section.name)
        return sections

    def _symbols(self):
        index, table = next((i, s) for i, s in enumerate(self.sections) if s.kind == SHT_SYMTAB)
        far = next((s for s in self.sections if s.kind == 18 and s.link == index), None)
        symbols = []
        for i in range(table.size // 24):
            name, info, other, section, value, size = struct.unpack_from("<IBBHQQ", self.data, table.offset + 24 * i)
            if section == 0xffff:
                section, = struct.unpack_from("<I", self.data, far.offset + 4 * i)
            symbols.append(Symbol(self._name(self.sections[table.link], name), info >> 4, info & 15, other & 3,
                                  section, value, size))
        return symbols

    def _references(self):
        variables = {}
        for symbol in self.symbols:
            if symbol.type in (STT_OBJECT, STT_TLS) and not symbol.undefined:
                variables.setdefault(symbol.section, []).append(symbol)
        for table in self.sections:
            if table.kind != SHT_RELA:
                continue
            target = self.sections[table.info]
            in_code = bool(target.flags & SHF_EXECUTABLE)
            if not target.flags & SHF_ALLOC or not (in_code or TABLES.match(target.name)):
                continue
            for offset, info, addend in struct.iter_unpack(
                    "<QQq", self.data[table.offset:table.offset + table.size]):
                symbol = self.symbols[info >> 32]
                kind = info & 0xffffffff
                if not in_code and kind not in ADDRESSES.get(self.machine, set()):
                    continue
                if symbol.type == STT_SECTION and not in_code:
                    symbol = self._at(symbol.section, addend) or symbol
                inside = next((v.name for v in variables.get(table.info, ())
                               if v.value <= offset < v.value + v.size), "")
                if not inside or inside.startswith(OF_SANITIZERS):
                    inside = target.name.partition(".__const.")[0]
                yield Reference(symbol, in_code, kind in CALLS.get(self.machine, set()), "" if in_code else inside)

    def is_written(self, symbol):
        """Whether the program can write to the variable. False if only the loader writes to it."""
        section = self.sections[symbol.section] if symbol.section < len(self.sections) else None
        return section is None or bool(section.flags & SHF_WRITE) and ".rel.ro" not in section.name

    def _at(self, section, offset):
        return next((s for s in self.symbols if s.section == section and s.value == offset and
                     s.type in (STT_FUNC, STT_OBJECT)), None)

    def _texts(self):
        """Returns the strings in the file's constants."""
        texts = set()
        for section in self.sections:
            if section.flags & SHF_ALLOC and section.kind != SHT_NOBITS and TABLES.match(section.name):
                found = re.findall(rb"[\x20-\x7e]{4,}(?=\0)", self.data[section.offset:section.offset + section.size])
                texts.update(text.decode() for text in found)
        return texts


def query(build, target):
    asked = subprocess.run(["ninja", "-C", str(build), "-t", "query", target], capture_output=True, text=True)
    if asked.returncode != 0:
        raise ValueError(f"{build} has no {target}, or is not a build folder of Ninja's")
    inputs = asked.stdout.split("  outputs:")[0].split("\n")[2:]
    return [line.strip(" |") for line in inputs if line.strip() and not line.strip().startswith("||")]


def linked_objects(build, target, seen=None):
    """Returns the object files that are linked into a target, directly or from static libraries."""
    seen = set() if seen is None else seen
    found = []
    for name in query(build, target):
        if name in seen:
            continue
        seen.add(name)
        if name.endswith(".o"):
            found.append(name)
        elif name.endswith(".a") or re.search(r"\.so[.0-9]*$", name) or name.startswith(("bin/", "lib/nestbind/")):
            found += linked_objects(build, name, seen)
    return found


def exported(build, linked):
    """Returns the names that a built library exports."""
    if ".so" not in linked:
        return set()
    file = next((pathlib.Path(build) / "lib").rglob(linked))
    shown = subprocess.run(["nm", "--dynamic", "--defined-only", "--format=posix", file], capture_output=True, text=True,
                           check=True).stdout
    return {line.split("@")[0].split(" ")[0] for line in shown.splitlines()}


def linked_targets(cache, libraries):
    """Returns the targets of this build, with their names in CMake."""
    for name, target in LINKED.items():
        if libraries and target == "nestbind-command":
            continue
        if target == "nestbind-command" and re.search(r"^NESTBIND_BUILD_CLI:BOOL=OFF$", cache, re.M):
            continue
        if target == "nestbind-slurm" and re.search(r"^NESTBIND_SLURM_INCLUDE:PATH=.*-NOTFOUND$", cache, re.M):
            continue
        yield name, target


def objects_of(build, make=False, libraries=False):
    """Returns the object files of each target. `make` compiles them first. `libraries` leaves out the command."""
    build = pathlib.Path(build).resolve()
    commands = json.loads((build / "compile_commands.json").read_text())
    cache = (build / "CMakeCache.txt").read_text()
    root = pathlib.Path(re.search(r"^CMAKE_HOME_DIRECTORY:\w+=(.*)$", cache, re.M).group(1))
    source = {re.search(r" -o (\S+)", c["command"]).group(1): c["file"] for c in commands}
    others = root / "cmake"  # code of other projects that the build compiles
    linked = {}
    for name, target in linked_targets(cache, libraries):
        paths = linked_objects(build, target)
        if not paths:
            raise ValueError(f"{build} links no objects into {target}")
        linked[name] = [path for path in paths if not pathlib.Path(source[path]).is_relative_to(others)]
    every = sorted({path for paths in linked.values() for path in paths})
    if make:
        subprocess.run(["ninja", "-C", str(build), *every], stdout=subprocess.DEVNULL, check=True)
    read = {}
    for path in every:
        file = pathlib.Path(source[path])
        whose = file.relative_to(build if file.is_relative_to(build) else root)
        read[path] = ObjectFile(short(str(whose)), build / path)
    return {name: [read[path] for path in paths] for name, paths in linked.items()}
