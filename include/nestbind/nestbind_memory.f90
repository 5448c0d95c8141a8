! SPDX-License-Identifier: BSD-3-Clause
! Reports where the pages of arrays are, and moves them, for Fortran. nestbind.f90 has the error numbers:
! compile it first, and then this file, with the program's own compiler. Link with -lnestbind.
!
!   use nestbind
!   use nestbind_memory
!   real(c_double), allocatable, target :: grid(:)
!   integer(c_size_t) :: bytes
!   bytes = size(grid, kind=c_size_t) * c_sizeof(grid(1))
!   error = nestbind_memory_spread(c_loc(grid), bytes, nestbind_block)
!   if (error /= nestbind_ok) print *, nestbind_strerror(error)
!
! Each function has the same name, arguments and error numbers as the function in nestbind/memory.h. The
! first two arguments are the address of the memory and its size in bytes.
module nestbind_memory
  use, intrinsic :: iso_c_binding, only: c_int, c_ptr, c_size_t
  implicit none
  private

  public :: nestbind_memory_spread, nestbind_memory_where
  public :: nestbind_memory_replicate, nestbind_memory_local, nestbind_memory_release

  integer(c_int), parameter, public :: nestbind_block = 1
  integer(c_int), parameter, public :: nestbind_interleave = 2
  integer(c_int), parameter, public :: nestbind_local = 3

  interface
    ! Moves the pages to their nodes. how: nestbind_block, nestbind_interleave or nestbind_local.
    function nestbind_memory_spread(p, bytes, how) bind(c, name="nestbind_memory_spread") result(error)
      import :: c_int, c_ptr, c_size_t
      type(c_ptr), value :: p
      integer(c_size_t), value :: bytes
      integer(c_int), value :: how
      integer(c_int) :: error
    end function nestbind_memory_spread

    ! Makes read-only copies, one on each node. replicas: an argument for the next two functions.
    function nestbind_memory_replicate(p, bytes, replicas) bind(c, name="nestbind_memory_replicate") result(error)
      import :: c_int, c_ptr, c_size_t
      type(c_ptr), value :: p
      integer(c_size_t), value :: bytes
      type(c_ptr), intent(inout) :: replicas
      integer(c_int) :: error
    end function nestbind_memory_replicate

    ! Returns the copy on the calling thread's node, for c_f_pointer. In C this function is inline; here it is a call.
    function nestbind_memory_local(replicas) bind(c, name="nestbind_memory_copy") result(copy)
      import :: c_ptr
      type(c_ptr), value :: replicas
      type(c_ptr) :: copy
    end function nestbind_memory_local

    ! Frees all copies.
    function nestbind_memory_release(replicas) bind(c, name="nestbind_memory_release") result(error)
      import :: c_int, c_ptr
      type(c_ptr), value :: replicas
      integer(c_int) :: error
    end function nestbind_memory_release

    ! Counts the pages on each node; pages_on_node(1) is for node 0. capacity: the size of pages_on_node.
    function nestbind_memory_where(p, bytes, pages_on_node, capacity) bind(c, name="nestbind_memory_where") result(error)
      import :: c_int, c_ptr, c_size_t
      type(c_ptr), value :: p
      integer(c_size_t), value :: bytes
      integer(c_size_t), intent(inout) :: pages_on_node(*)
      integer(c_int), value :: capacity
      integer(c_int) :: error
    end function nestbind_memory_where
  end interface

end module nestbind_memory
