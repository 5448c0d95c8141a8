# SPDX-License-Identifier: BSD-3-Clause
"""Move objects between the ranks of a program with mpi4py.

    balancer = nestbind.mpi.Balancer(MPI.COMM_WORLD)
    for step in range(steps):
        ...
        balancer.load(number, seconds, bytes_to_move)              # each object of this rank
        for move in balancer.balance(steps - step - 1):            # collective
            ...                                                    # send or receive the object move.id

nestbind-balance(3) has the details. The library must be in the process: start Python by `nestbind run -- python ...`.
"""

import ctypes
import os
import typing

from nestbind import Error, NotLoaded

__all__ = ["Balancer", "Move"]

_MAXIMA, _NUMBERS = 8, 14  # NESTBIND_ACROSS_MAXIMA, NESTBIND_ACROSS_NUMBERS
_REDUCE, _COUNTS = 0, 1


class Move(typing.NamedTuple):
    """A move of an object. If both ranks are the same, only the slot changes."""

    id: int
    rank_from: int
    rank_to: int
    slot: int


class _Setup(ctypes.Structure):
    _fields_ = [("rank", ctypes.c_int), ("ranks", ctypes.c_int), ("node", ctypes.POINTER(ctypes.c_int)), ("threads", ctypes.c_int),
                ("slots", ctypes.c_int), ("hops", ctypes.POINTER(ctypes.c_double)), ("message_seconds", ctypes.c_double),
                ("tolerance", ctypes.c_double), ("every", ctypes.c_int)]


class _Exchange(ctypes.Structure):
    _fields_ = [("kind", ctypes.c_int), ("group", ctypes.c_int), ("numbers", ctypes.POINTER(ctypes.c_double)), ("send", ctypes.c_void_p),
                ("receive", ctypes.c_void_p), *((name, ctypes.POINTER(ctypes.c_int)) for name in
                                                ("send_counts", "receive_counts", "send_offsets", "receive_offsets"))]


class _Move(ctypes.Structure):
    _fields_ = [("id", ctypes.c_longlong), ("from_", ctypes.c_int), ("to", ctypes.c_int), ("slot", ctypes.c_int)]


def _ints(pointer, count):
    return (ctypes.c_int * count).from_address(ctypes.addressof(pointer.contents))


def _bytes(address, count):
    return (ctypes.c_char * count).from_address(address) if address and count else bytearray(0)


def _hops(paths):
    """The hops between nodes, as in nestbind/mpi.h; None: one hop between all nodes. Paths name the switches and the node, from Slurm."""
    names = [path.split(".") for path in paths]
    switches = min(map(len, names)) - 1
    common = lambda a, b: next((i for i in range(switches) if a[i] != b[i]), switches)  # noqa: E731
    hops = [0 if a is b else switches - common(a, b) + 1 for a in names for b in names]
    return (ctypes.c_double * len(hops))(*hops) if switches > 0 else None


class Balancer:
    """The balancer of this rank. Making, balance() and free() are collective.

    Ranks with the same `node` above 0 are a node; 0: ranks that share memory. The other options are those of nestbind/mpi.h.
    Raises NotLoaded, and Error if an option is wrong."""

    def __init__(self, comm, threads: int = 0, slots: int = 0, message_seconds: float = 0, tolerance: float = 0, every: int = 0,
                 node: int = 0) -> None:
        from mpi4py import MPI

        self._mpi, self._library = MPI, ctypes.CDLL(None)
        if not hasattr(self._library, "nestbind_across_create"):
            raise NotLoaded
        comm = comm.Dup()
        near = comm.Split(node, comm.rank) if node > 0 else comm.Split_type(MPI.COMM_TYPE_SHARED, comm.rank)
        leaders = comm.Split(0 if near.rank == 0 else MPI.UNDEFINED, comm.rank)
        self._groups = (comm, near, leaders)
        number = near.bcast(leaders.rank if near.rank == 0 else None)
        nodes = (ctypes.c_int * comm.size)(*comm.allgather(number))
        self._hops = _hops(leaders.allgather(os.environ.get("SLURM_TOPOLOGY_ADDR", ""))) if near.rank == 0 else None
        setup = _Setup(comm.rank, comm.size, nodes, threads, slots, self._hops, message_seconds, tolerance, every)
        self._across = ctypes.c_void_p()
        for name in ("free", "load", "load_of_region", "messages", "begin", "next", "moves"):
            function = getattr(self._library, "nestbind_across_" + name)
            function.restype = None if name in ("free", "begin") else ctypes.c_int
        self._check(self._library.nestbind_across_create(ctypes.byref(setup), ctypes.byref(self._across)))

    def _check(self, error: int) -> None:
        if error > 0:
            said = self._library.nestbind_strerror
            said.restype = ctypes.c_char_p
            raise Error(error, said(error).decode())

    def load(self, number: int, seconds: float, size: float = 0) -> None:
        """Adds to the load of an object of this rank in this step. A move of the object would send `size` bytes. Raises Error."""
        self._check(self._library.nestbind_across_load(self._across, ctypes.c_longlong(number), ctypes.c_double(seconds), ctypes.c_double(size)))

    def messages(self, number: int, other: int, count: float = 1) -> None:
        """The object has exchanged messages with another one in this step. Raises Error."""
        self._check(self._library.nestbind_across_messages(self._across, ctypes.c_longlong(number), ctypes.c_longlong(other),
                                                           ctypes.c_double(count)))

    def balance(self, remaining_steps: float) -> list[Move]:
        """Returns the moves from and to this rank, by id. Raises Error in all ranks if one of them has made a mistake."""
        self._library.nestbind_across_begin(self._across, ctypes.c_double(remaining_steps))
        exchange = _Exchange()
        while self._library.nestbind_across_next(self._across, ctypes.c_double(self._mpi.Wtime()), ctypes.byref(exchange)):
            self._exchange(exchange, self._groups[exchange.group])
        moves = ctypes.POINTER(_Move)()
        count = self._library.nestbind_across_moves(self._across, ctypes.byref(moves))
        self._check(-count)
        return [Move(move.id, move.from_, move.to, move.slot) for move in moves[:count]] if count else []

    def _exchange(self, exchange, comm) -> None:
        mpi = self._mpi
        if exchange.kind == _REDUCE:
            numbers = (ctypes.c_double * _NUMBERS).from_address(ctypes.addressof(exchange.numbers.contents))
            for begin, count, operation in ((0, _MAXIMA, mpi.MAX), (_MAXIMA, _NUMBERS - _MAXIMA, mpi.SUM)):
                part = (ctypes.c_double * count).from_buffer(numbers, begin * ctypes.sizeof(ctypes.c_double))
                comm.Allreduce(mpi.IN_PLACE, [part, mpi.DOUBLE], operation)
            return
        sent, received = _ints(exchange.send_counts, comm.size), _ints(exchange.receive_counts, comm.size)
        if exchange.kind == _COUNTS:
            comm.Alltoall([sent, mpi.INT], [received, mpi.INT])
            return
        comm.Alltoallv([_bytes(exchange.send, sum(sent)), list(sent), list(_ints(exchange.send_offsets, comm.size)), mpi.BYTE],
                       [_bytes(exchange.receive, sum(received)), list(received), list(_ints(exchange.receive_offsets, comm.size)), mpi.BYTE])

    def free(self) -> None:
        """Ends the balancer."""
        if self._across:
            self._library.nestbind_across_free(self._across)
            self._across = ctypes.c_void_p()
            for group in self._groups:
                if group != self._mpi.COMM_NULL:
                    group.Free()
