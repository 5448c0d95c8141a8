! SPDX-License-Identifier: BSD-3-Clause
! Positions of slots on the machine, and distances between slots, for Fortran. nestbind.f90 has the error numbers and
! the type of a place: compile it first, and then this file, with the program's own compiler. Link with -lnestbind.
!
!   use nestbind
!   use nestbind_topology
!   integer(c_int) :: sizes(8), count
!   count = nestbind_topology_dims(sizes, 8)
!   print *, "hops", nestbind_topology_hops(0, nestbind_get_slot())
!
! Each function has the same name, arguments and result as the function in nestbind/topology.h. Slots, coordinates,
! nodes and the positions in `order` are numbered from zero on: slots(order(1) + 1) is the nearest slot.
module nestbind_topology
  use, intrinsic :: iso_c_binding, only: c_char, c_int, c_double
  use nestbind, only: nestbind_place
  implicit none
  private

  public :: nestbind_topology_slots, nestbind_topology_dims, nestbind_topology_coordinates, nestbind_topology_slot
  public :: nestbind_topology_hops, nestbind_topology_levels, nestbind_topology_distance, nestbind_topology_numa_factor
  public :: nestbind_topology_sort, nestbind_topology_closest
  public :: nestbind_get_slot, nestbind_slot_of_path, nestbind_place_of_slot
  public :: nestbind_device, nestbind_devices, nestbind_gpu, nestbind_nic, nestbind_nvme

  integer(c_int), parameter :: nestbind_gpu = 1, nestbind_nic = 2, nestbind_nvme = 3

  ! The texts end at the first c_null_char.
  type, bind(c) :: nestbind_device
    integer(c_int) :: kind, numa, level
    character(kind=c_char) :: name(64), pci(16), uuid(64)
  end type nestbind_device

  interface
    ! The number of slots.
    function nestbind_topology_slots() bind(c, name="nestbind_topology_slots") result(count)
      import :: c_int
      integer(c_int) :: count
    end function nestbind_topology_slots

    ! Writes the size of each dimension, as nestbind/topology.h says. capacity: the size of dims.
    function nestbind_topology_dims(dims, capacity) bind(c, name="nestbind_topology_dims") result(count)
      import :: c_int
      integer(c_int), intent(inout) :: dims(*)
      integer(c_int), value :: capacity
      integer(c_int) :: count
    end function nestbind_topology_dims

    ! The coordinates of a slot. capacity: the size of coordinates.
    function nestbind_topology_coordinates(slot, coordinates, capacity) &
        bind(c, name="nestbind_topology_coordinates") result(count)
      import :: c_int
      integer(c_int), value :: slot
      integer(c_int), intent(inout) :: coordinates(*)
      integer(c_int), value :: capacity
      integer(c_int) :: count
    end function nestbind_topology_coordinates

    ! The slot with these coordinates; -1 if no slot has them.
    function nestbind_topology_slot(coordinates, count) bind(c, name="nestbind_topology_slot") result(slot)
      import :: c_int
      integer(c_int), intent(in) :: coordinates(*)
      integer(c_int), value :: count
      integer(c_int) :: slot
    end function nestbind_topology_slot

    ! The number of hops of the interconnect between the NUMA nodes of two slots.
    function nestbind_topology_hops(a, b) bind(c, name="nestbind_topology_hops") result(hops)
      import :: c_int
      integer(c_int), value :: a, b
      integer(c_int) :: hops
    end function nestbind_topology_hops

    ! The number of levels from a slot up the tree to the smallest object that contains both slots.
    function nestbind_topology_levels(a, b) bind(c, name="nestbind_topology_levels") result(levels)
      import :: c_int
      integer(c_int), value :: a, b
      integer(c_int) :: levels
    end function nestbind_topology_levels

    ! The distance from one slot to the memory of another slot's NUMA node.
    function nestbind_topology_distance(from, to) bind(c, name="nestbind_topology_distance") result(distance)
      import :: c_double, c_int
      integer(c_int), value :: from, to
      real(c_double) :: distance
    end function nestbind_topology_distance

    ! The time of a read from another node's memory, divided by the time of a read from the node's own memory.
    function nestbind_topology_numa_factor(from, to) bind(c, name="nestbind_topology_numa_factor") result(factor)
      import :: c_double, c_int
      integer(c_int), value :: from, to
      real(c_double) :: factor
    end function nestbind_topology_numa_factor

    ! Sorts slots by distance from the slot `root`. The nearest slot is slots(order(1) + 1).
    function nestbind_topology_sort(root, slots, count, order) bind(c, name="nestbind_topology_sort") result(error)
      import :: c_int
      integer(c_int), value :: root
      integer(c_int), intent(in) :: slots(*)
      integer(c_int), value :: count
      integer(c_int), intent(inout) :: order(*)
      integer(c_int) :: error
    end function nestbind_topology_sort

    ! Finds the nearest slot. This slot is slots(place + 1).
    function nestbind_topology_closest(root, slots, count) bind(c, name="nestbind_topology_closest") result(place)
      import :: c_int
      integer(c_int), value :: root
      integer(c_int), intent(in) :: slots(*)
      integer(c_int), value :: count
      integer(c_int) :: place
    end function nestbind_topology_closest

    ! The planned slot of the calling thread; -1 if it has no slot.
    function nestbind_get_slot() bind(c, name="nestbind_get_slot") result(slot)
      import :: c_int
      integer(c_int) :: slot
    end function nestbind_get_slot

    ! The slot of a thread; -1 if there is no such thread. path: `level` thread numbers, the outermost team first.
    function nestbind_slot_of_path(path, level) bind(c, name="nestbind_slot_of_path") result(slot)
      import :: c_int
      integer(c_int), intent(in) :: path(*)
      integer(c_int), value :: level
      integer(c_int) :: slot
    end function nestbind_slot_of_path

    ! The thread that is planned on a slot, and the core, package and NUMA node of the slot.
    function nestbind_place_of_slot(slot, place) bind(c, name="nestbind_place_of_slot") result(error)
      import :: c_int, nestbind_place
      integer(c_int), value :: slot
      type(nestbind_place), intent(inout) :: place
      integer(c_int) :: error
    end function nestbind_place_of_slot

    ! The devices of a kind that are nearest to a slot; slot -1: to the calling thread. capacity: the size of devices.
    function nestbind_devices(kind, slot, devices, capacity) bind(c, name="nestbind_devices") result(count)
      import :: c_int, nestbind_device
      integer(c_int), value :: kind, slot
      type(nestbind_device), intent(inout) :: devices(*)
      integer(c_int), value :: capacity
      integer(c_int) :: count
    end function nestbind_devices
  end interface

end module nestbind_topology
