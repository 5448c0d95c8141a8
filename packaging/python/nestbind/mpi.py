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

class Move(typing.NamedTuple):
    """A move of an object. If both ranks are the same, only the slot changes."""

    id: int
    rank_from: int
    rank_to: int
    slot: int


_INTS, _DOUBLES = ctypes.POINTER(ctypes.c_int), ctypes.POINTER(ctypes.c_double)
_NOW = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_void_p)
_REDUCE = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, _DOUBLES, ctypes.c_int, _DOUBLES, ctypes.c_int)
_COUNTS = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, _INTS, _INTS)
_DATA = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, _INTS, _INTS, ctypes.c_void_p, _INTS, _INTS)
_HOPS = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_void_p, ctypes.c_int, ctypes.c_int)


class _Setup(ctypes.Structure):
    _fields_ = [("rank", ctypes.c_int), ("ranks", ctypes.c_int), ("node", _INTS), ("threads", ctypes.c_int), ("slots", ctypes.c_int),
                ("message_seconds", ctypes.c_double), ("tolerance", ctypes.c_double), ("every", ctypes.c_int), ("comm", ctypes.c_void_p),
                ("now", _NOW), ("reduce", _REDUCE), ("counts", _COUNTS), ("data", _DATA), ("hops", _HOPS)]


class _Move(ctypes.Structure):
    _fields_ = [("id", ctypes.c_longlong), ("from_", ctypes.c_int), ("to", ctypes.c_int), ("slot", ctypes.c_int)]


def _array(kind, pointer, count):
    return (kind * count).from_address(ctypes.cast(pointer, ctypes.c_void_p).value) if pointer and count else bytearray(0)


def _hops_of(paths):
    """A function for the hops between ranks, as nestbind_mpi_hops(); a path names the switches and the node, from Slurm. None: no switches."""
    names = [path.split(".") for path in paths]
    switches = min(map(len, names)) - 1

    def hops(one, other):
        common = next((i for i in range(switches) if names[one][i] != names[other][i]), switches)
        return switches - common + 1

    return hops if switches > 0 else None


class Balancer:
    """The balancer of this rank. Making, balance() and free() are collective.

    Ranks with the same `node` above 0 are a node; 0: ranks that share memory. The other options are those of nestbind/mpi.h.
    Raises NotLoaded, and Error if an option is wrong."""

    def __init__(self, comm, threads: int = 0, slots: int = 0, message_seconds: float = 0, tolerance: float = 0, every: int = 0,
                 node: int = 0) -> None:
        from mpi4py import MPI

        self._mpi, self._library, self._raised = MPI, ctypes.CDLL(None), None
        if not hasattr(self._library, "nestbind_across_create"):
            raise NotLoaded
        self._comm = comm = comm.Dup()
        near = comm.Split_type(MPI.COMM_TYPE_SHARED, comm.rank)
        lowest = near.bcast(-comm.rank)
        near.Free()
        nodes = (ctypes.c_int * comm.size)(*comm.allgather(node if node > 0 else lowest))
        hops = _hops_of(comm.allgather(os.environ.get("SLURM_TOPOLOGY_ADDR", "")))
        self._setup = _Setup(comm.rank, comm.size, nodes, threads, slots, message_seconds, tolerance, every, None, _NOW(lambda _: MPI.Wtime()),
                             _REDUCE(self._guarded(self._reduce)), _COUNTS(self._guarded(self._counts)), _DATA(self._guarded(self._data)),
                             _HOPS(lambda _, one, other: hops(one, other)) if hops else _HOPS())
        self._across = ctypes.c_void_p()
        for name in ("free", "load", "load_of_region", "messages", "balance"):
            function = getattr(self._library, "nestbind_across_" + name)
            function.restype = None if name == "free" else ctypes.c_int
        self._check(self._library.nestbind_across_create(ctypes.byref(self._setup), ctypes.byref(self._across)))

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
        moves = ctypes.POINTER(_Move)()
        count = self._library.nestbind_across_balance(self._across, ctypes.c_double(remaining_steps), ctypes.byref(moves))
        raised, self._raised = self._raised, None
        if raised:
            raise raised
        self._check(-count)
        return [Move(move.id, move.from_, move.to, move.slot) for move in moves[:count]] if count else []

    def _guarded(self, exchange):
        """No exception may go through the library: balance() raises it afterwards."""

        def call(_, *arguments):
            try:
                exchange(*arguments)
            except Exception as error:  # noqa: BLE001
                self._raised = error
                return 1
            return 0

        return call

    def _reduce(self, maxima, maxima_count, sums, sums_count) -> None:
        mpi = self._mpi
        self._comm.Allreduce(mpi.IN_PLACE, [_array(ctypes.c_double, maxima, maxima_count), mpi.DOUBLE], mpi.MAX)
        self._comm.Allreduce(mpi.IN_PLACE, [_array(ctypes.c_double, sums, sums_count), mpi.DOUBLE], mpi.SUM)

    def _counts(self, send, receive) -> None:
        self._comm.Alltoall(*([_array(ctypes.c_int, counts, self._comm.size), self._mpi.INT] for counts in (send, receive)))

    def _data(self, send, send_counts, send_offsets, receive, receive_counts, receive_offsets) -> None:
        size = self._comm.size
        self._comm.Alltoallv(*([_array(ctypes.c_char, data, sum(counts[:size])), counts[:size], offsets[:size], self._mpi.BYTE]
                               for data, counts, offsets in ((send, send_counts, send_offsets), (receive, receive_counts, receive_offsets))))

    def free(self) -> None:
        """Ends the balancer."""
        if self._across:
            self._library.nestbind_across_free(self._across)
            self._across = ctypes.c_void_p()
            self._comm.Free()
