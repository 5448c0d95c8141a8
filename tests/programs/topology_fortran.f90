! SPDX-License-Identifier: BSD-3-Clause
! topology_fortran: prints the lines of "topology machine threads" and one place.
program topology_fortran
  use, intrinsic :: iso_c_binding, only: c_int
  use omp_lib
  use nestbind
  use nestbind_topology
  implicit none
  integer(c_int), parameter :: there(4) = [0, 4, 8, 12], wanted(4) = [12, 4, 1, 8], hole(2) = [1, 4]
  integer(c_int) :: sizes(8), coordinates(8), order(4), path(2), dimensions, found, slot, of_path, i
  type(nestbind_place) :: place

  dimensions = nestbind_topology_dims(sizes, 8)
  print '(a, 8(1x, i0))', "dims", sizes(:dimensions)
  found = nestbind_topology_coordinates(6, coordinates, 8)
  print '(a, 8(1x, i0))', "coordinates of 6", coordinates(:found)
  print '(3(a, i0))', "slots ", nestbind_topology_slots(), ", back ", nestbind_topology_slot(coordinates, dimensions), &
    ", hole ", nestbind_topology_slot(hole, 2)
  print '(a, 4(1x, i0))', "hops", [(nestbind_topology_hops(there(1), there(i)), i = 1, 4)]
  print '(a, 4(1x, i0))', "levels", [(nestbind_topology_levels(there(1), there(i)), i = 1, 4)]
  print '(a, 4(1x, i0))', "distances", [(nint(nestbind_topology_distance(there(1), there(i))), i = 1, 4)]
  print '(a, f4.2, a, f4.2, a, i0)', "factor ", nestbind_topology_numa_factor(0, 3), ", of itself ", &
    nestbind_topology_numa_factor(2, 2), ", of none ", nint(nestbind_topology_numa_factor(0, 9))
  if (nestbind_topology_sort(0, wanted, 4, order) == nestbind_ok) print '(a, 4(1x, i0))', "order", order
  print '(a, i0)', "closest ", nestbind_topology_closest(0, wanted, 4)
  if (nestbind_place_of_slot(5, place) == nestbind_ok) print '(3(a, i0), a, 8(1x, i0))', "place of 5: node ", place%numa, &
    ", core ", place%core, ", pinned ", place%pinned, ", path", place%path(:place%level)

  !$omp parallel private(path)
  path(1) = omp_get_thread_num()
  !$omp parallel private(slot, of_path) firstprivate(path)
  path(2) = omp_get_thread_num()
  slot = nestbind_get_slot()
  of_path = nestbind_slot_of_path(path, 2)
  !$omp critical
  print '(4(a, i0))', "thread ", path(1), ".", path(2), ": slot ", slot, ", of its path ", of_path
  !$omp end critical
  !$omp end parallel
  !$omp end parallel
end program topology_fortran
