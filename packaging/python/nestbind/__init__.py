# SPDX-License-Identifier: BSD-3-Clause
"""Use nestbind in Python: set the specification of this process, and ask where its threads are.

The library must be loaded before the OpenMP runtime. So start Python with the command:

    nestbind run -- python train.py

Otherwise every function except `is_loaded` raises `NotLoaded`.
"""

import contextlib
import ctypes
import json
import os
import pathlib
import subprocess
import typing

__all__ = ["Device", "Error", "NotLoaded", "Place", "devices", "get", "is_loaded", "place", "report", "set", "using"]

_COMMAND = pathlib.Path(__file__).resolve().parent / "bin" / "nestbind"

_MAX_LEVELS = 64  # NESTBIND_MAX_LEVELS
_NOT_PLACED = 14  # NESTBIND_NOT_PLACED


class Error(RuntimeError):
    """The library has refused a call. `number` is the error number of nestbind/nestbind.h."""

    def __init__(self, number: int, text: str) -> None:
        super().__init__(text)
        self.number = number


class NotLoaded(RuntimeError):
    """The library is not in this process."""

    def __init__(self) -> None:
        super().__init__("libnestbind is not in this process: start Python by `nestbind run -- python ...`")


class Place(typing.NamedTuple):
    """The planned place of the calling thread."""

    path: tuple[int, ...]  #: thread numbers, the outermost team first
    pinned: bool  #: True: the thread is bound to one slot. False: the thread may run in several slots, or is not bound
    core: int  #: logical number, as in lstopo; -1: none
    package: int  #: logical number, as in lstopo; -1: none
    numa: int  #: the kernel's number of the NUMA node; -1: none
    numa_logical: int  #: the logical number of the same node


class _Place(ctypes.Structure):
    _fields_ = [("level", ctypes.c_int), ("path", ctypes.c_int * _MAX_LEVELS), ("pinned", ctypes.c_int),
                ("core", ctypes.c_int), ("package", ctypes.c_int), ("numa", ctypes.c_int), ("numa_logical", ctypes.c_int)]


class Device(typing.NamedTuple):
    """A device near to a slot or thread. Texts that are not known are empty."""

    kind: str  #: "gpu", "nic" or "nvme"
    name: str  #: hwloc's name, such as cuda0 or mlx5_0
    pci: str  #: the PCI address
    uuid: str  #: of a GPU
    numa: int  #: the kernel's number of the NUMA node; -1: none
    level: int  #: 0: beside the slot or thread; larger: farther


class _Device(ctypes.Structure):
    _fields_ = [("kind", ctypes.c_int), ("numa", ctypes.c_int), ("level", ctypes.c_int),
                ("name", ctypes.c_char * 64), ("pci", ctypes.c_char * 16), ("uuid", ctypes.c_char * 64)]


_KINDS = ("gpu", "nic", "nvme")


def is_loaded() -> bool:
    """Whether the library is in this process."""
    return hasattr(ctypes.CDLL(None), "omp_set_nesting_info")


def _library() -> ctypes.CDLL:
    if not is_loaded():
        raise NotLoaded
    return ctypes.CDLL(None)


def _check(number: int) -> None:
    if number == 0:
        return
    said = _library().nestbind_strerror
    said.restype = ctypes.c_char_p
    raise Error(number, said(number).decode())


def set(spec: str) -> None:  # noqa: A001
    """Sets a specification. It is in force from the calling thread's next fork on. "off" ends binding.

    Raises NotLoaded. Raises Error if the specification is wrong; a message on stderr shows the fault."""
    _check(_library().omp_set_nesting_info(spec.encode()))


def get() -> str:
    """Returns the specification in force, in canonical form: "off" after set("off"), "" if no specification was ever set.

    Raises NotLoaded."""
    ask = _library().omp_get_nesting_info
    ask.restype = ctypes.c_size_t
    ask.argtypes = [ctypes.c_char_p, ctypes.c_size_t]
    text = ctypes.create_string_buffer(ask(None, 0) + 1)
    ask(text, len(text))
    return text.value.decode()


@contextlib.contextmanager
def using(spec: str) -> typing.Iterator[None]:
    """Inside `with using(spec):` this specification is in force. After the block, the previous specification is in force again.

    Raises NotLoaded. Raises Error if the specification is wrong."""
    before = get()
    set(spec)
    try:
        yield
    finally:
        set(before or "off")


def place() -> typing.Optional[Place]:
    """Returns the place of the calling thread; None outside parallel regions, and in teams that are not planned.

    Raises NotLoaded. Raises Error if the library refuses the call."""
    found = _Place()
    number = _library().nestbind_get_place(ctypes.byref(found))
    if number == _NOT_PLACED:
        return None
    _check(number)
    path = tuple(found.path[: min(found.level, _MAX_LEVELS)])
    return Place(path, bool(found.pinned), found.core, found.package, found.numa, found.numa_logical)


def report(process: typing.Optional[int] = None) -> dict[str, typing.Any]:
    """Returns where the threads of a process are now; by default of this process. The dict is the process's object in the JSON of
    nestbind-top(1): "threads" has the path, the planned and the allowed processors and the processor of each thread.

    Also works without the library. Raises LookupError if there is no such process, or OSError if the command cannot be started."""
    command = _COMMAND if _COMMAND.exists() else "nestbind"
    words = [str(command), "top", "--once", "--format=json", "-d", "0.1", str(process or os.getpid())]
    found = json.loads(subprocess.run(words, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, check=False).stdout or "{}")
    if not found.get("processes"):
        raise LookupError(f"process {process} is not there")
    return found["processes"][0]


def devices(kind: str = "gpu", slot: int = -1) -> list[Device]:
    """Returns the devices of a kind that are nearest to a slot, or to the calling thread (-1).

    Raises NotLoaded. Raises ValueError if there is no such kind or slot, or if the devices cannot be read."""
    most = 1024  # more than a machine's record has
    found = (_Device * most)()
    number = _KINDS.index(kind) + 1
    count = _library().nestbind_devices(number, slot, found, most)
    if count < 0:
        raise ValueError(f"no devices of kind {kind} for slot {slot}")
    return [Device(kind, one.name.decode(), one.pci.decode(), one.uuid.decode(), one.numa, one.level) for one in found[:count]]
