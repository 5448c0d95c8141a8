! SPDX-License-Identifier: BSD-3-Clause
! Where slots are on the machine, and what lies between them, for Fortran: compile this file with the program's own
! compiler, after nestbind.f90, which has the numbers of errors and the type of a place, and link with -lnestbind.
!
!   use nestbind
!   use nestbind_topology
!   integer(c_int) :: sizes(8), count
!   count = nestbind_topology_dims(sizes, 8)
!   print *, "hops", nestbind_topology_hops(0, nestbind_get_slot())
!
! Each function is the one of nestbind/topology.h with its name, has its arguments, and returns what that does.
! Slots, coordinates, nodes and the places in `order` count from zero: slots(order(1) + 1) is the nearest.
module nestbind_topology
  use, intrinsic :: iso_c_binding, only: c_int, c_double
  use nestbind, only: nestbind_place
  implicit none
  private

  public :: nestbind_topology_slots, nestbind_topology_dims, nestbind_topology_coordinates, nestbind_topology_slot
  public :: nestbind_topology_hops, nestbind_topology_levels, nestbind_topology_distance, nestbind_topology_numa_factor
  public :: nestbind_topology_sort, nestbind_topology_closest
  public :: nestbind_get_slot, nestbind_slot_of_path, nestbind_place_of_slot

  interface
    ! How many slots there are.
    function nestbind_topology_slots() bind(c, name="nestbind_topology_slots") result(count)
      import :: c_int
      integer(c_int) :: count
    end function nestbind_topology_slots

    ! How many objects of each kind are in one of the kind before. capacity: the array's size.
    function nestbind_topology_dims(dims, capacity) bind(c, name="nestbind_topology_dims") result(count)
      import :: c_int
      integer(c_int), intent(inout) :: dims(*)
      integer(c_int), value :: capacity
      integer(c_int) :: count
    end function nestbind_topology_dims

    ! Where a slot is.
    function nestbind_topology_coordinates(slot, coordinates, capacity) &
        bind(c, name="nestbind_topology_coordinates") result(count)
      import :: c_int
      integer(c_int), value :: slot
      integer(c_int), intent(inout) :: coordinates(*)
      integer(c_int), value :: capacity
      integer(c_int) :: count
    end function nestbind_topology_coordinates

    ! The slot with these coordinates; -1: none.
    function nestbind_topology_slot(coordinates, count) bind(c, name="nestbind_topology_slot") result(slot)
      import :: c_int
      integer(c_int), intent(in) :: coordinates(*)
      integer(c_int), value :: count
      integer(c_int) :: slot
    end function nestbind_topology_slot

    ! Hops of the interconnect between the NUMA nodes of two slots.
    function nestbind_topology_hops(a, b) bind(c, name="nestbind_topology_hops") result(hops)
      import :: c_int
      integer(c_int), value :: a, b
      integer(c_int) :: hops
    end function nestbind_topology_hops

    ! Levels up the tree to the smallest object that has both slots.
    function nestbind_topology_levels(a, b) bind(c, name="nestbind_topology_levels") result(levels)
      import :: c_int
      integer(c_int), value :: a, b
      integer(c_int) :: levels
    end function nestbind_topology_levels

    ! How far the memory of one slot's node is from another slot.
    function nestbind_topology_distance(from, to) bind(c, name="nestbind_topology_distance") result(distance)
      import :: c_double, c_int
      integer(c_int), value :: from, to
      real(c_double) :: distance
    end function nestbind_topology_distance

    ! How much longer a read from one node to the memory of another takes than to its own.
    function nestbind_topology_numa_factor(from, to) bind(c, name="nestbind_topology_numa_factor") result(factor)
      import :: c_double, c_int
      integer(c_int), value :: from, to
      real(c_double) :: factor
    end function nestbind_topology_numa_factor

    ! Sorts slots by how near they are to `root`; order has their places, from zero on.
    function nestbind_topology_sort(root, slots, count, order) bind(c, name="nestbind_topology_sort") result(error)
      import :: c_int
      integer(c_int), value :: root
      integer(c_int), intent(in) :: slots(*)
      integer(c_int), value :: count
      integer(c_int), intent(inout) :: order(*)
      integer(c_int) :: error
    end function nestbind_topology_sort

    ! The first of that order: slots(place + 1).
    function nestbind_topology_closest(root, slots, count) bind(c, name="nestbind_topology_closest") result(place)
      import :: c_int
      integer(c_int), value :: root
      integer(c_int), intent(in) :: slots(*)
      integer(c_int), value :: count
      integer(c_int) :: place
    end function nestbind_topology_closest

    ! The slot that the calling thread is planned on; -1: none.
    function nestbind_get_slot() bind(c, name="nestbind_get_slot") result(slot)
      import :: c_int
      integer(c_int) :: slot
    end function nestbind_get_slot

    ! The slot of the thread at a path of `level` thread numbers; -1: none.
    function nestbind_slot_of_path(path, level) bind(c, name="nestbind_slot_of_path") result(slot)
      import :: c_int
      integer(c_int), intent(in) :: path(*)
      integer(c_int), value :: level
      integer(c_int) :: slot
    end function nestbind_slot_of_path

    ! Who is planned on a slot, and where that is.
    function nestbind_place_of_slot(slot, place) bind(c, name="nestbind_place_of_slot") result(error)
      import :: c_int, nestbind_place
      integer(c_int), value :: slot
      type(nestbind_place), intent(inout) :: place
      integer(c_int) :: error
    end function nestbind_place_of_slot
  end interface

end module nestbind_topology
