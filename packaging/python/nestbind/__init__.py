# SPDX-License-Identifier: BSD-3-Clause
"""nestbind from Python: which specification is in force in this process, and where its threads are.

The library must be in the process before its OpenMP runtime, so Python has to be started by the command:

    nestbind run -- python train.py

Without that, every function but `is_loaded` raises `NotLoaded`, which says so.
"""

import contextlib
import ctypes
import typing

__all__ = ["Error", "NotLoaded", "Place", "get", "is_loaded", "place", "set", "using"]

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
        super().__init__("libnestbind is not in this process: start it by `nestbind run -- python ...`")


class Place(typing.NamedTuple):
    """The planned place of the calling thread."""

    path: tuple[int, ...]  #: thread numbers, the outermost team first
    pinned: bool  #: whether it has one slot; otherwise an area
    core: int  #: the machine's own number; -1: none
    package: int  #: the machine's own number; -1: none
    numa: int  #: the kernel's number; -1: none
    numa_logical: int  #: the machine's own number of the same node


class _Place(ctypes.Structure):
    _fields_ = [("level", ctypes.c_int), ("path", ctypes.c_int * _MAX_LEVELS), ("pinned", ctypes.c_int),
                ("core", ctypes.c_int), ("package", ctypes.c_int), ("numa", ctypes.c_int), ("numa_logical", ctypes.c_int)]


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
    """Sets a specification, from the calling thread's next fork on. "off" ends binding.

    Raises NotLoaded; Error if the specification is wrong (its place is shown on stderr)."""
    _check(_library().omp_set_nesting_info(spec.encode()))


def get() -> str:
    """The specification in force, in canonical form: "off" after set("off"), "" if there was never one.

    Raises NotLoaded."""
    ask = _library().omp_get_nesting_info
    ask.restype = ctypes.c_size_t
    ask.argtypes = [ctypes.c_char_p, ctypes.c_size_t]
    text = ctypes.create_string_buffer(ask(None, 0) + 1)
    ask(text, len(text))
    return text.value.decode()


@contextlib.contextmanager
def using(spec: str) -> typing.Iterator[None]:
    """Within `with using(spec):` this specification is in force. Afterwards the previous one is in force again.

    Raises NotLoaded; Error if the specification is wrong."""
    before = get()
    set(spec)
    try:
        yield
    finally:
        set(before or "off")


def place() -> typing.Optional[Place]:
    """The place of the calling thread; None outside parallel regions, and in teams that are not planned.

    Raises NotLoaded; Error."""
    found = _Place()
    number = _library().nestbind_get_place(ctypes.byref(found))
    if number == _NOT_PLACED:
        return None
    _check(number)
    path = tuple(found.path[: min(found.level, _MAX_LEVELS)])
    return Place(path, bool(found.pinned), found.core, found.package, found.numa, found.numa_logical)
