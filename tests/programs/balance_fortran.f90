! SPDX-License-Identifier: BSD-3-Clause
! balance_fortran: prints the lines of "balance homes given" without the last line.
program balance_fortran
  use, intrinsic :: iso_c_binding
  use nestbind
  use nestbind_balancing
  implicit none
  real(c_double), target :: load(10) = [100d0, 100d0, 100d0, 100d0, 100d0, 100d0, 100d0, 100d0, 1d0, 0.5d0]
  integer(c_int), target :: homes(10) = [0, 0, 0, 0, 2, 2, 2, 2, 0, 2]
  integer(c_int) :: place(10) = [0, 1, 2, 3, 8, 9, 10, 11, 5, 13], moved
  real(c_double), target :: equal(2) = [1d0, 1d0], messages(2) = [10d0, 10d0], factor(4) = [1d0, 1.5d0, 9d0, 1d0]
  integer(c_int), target :: first(3) = [0, 1, 2], other(2) = [1, 0], node(2) = [0, 1]
  real(c_double) :: alphas(2) = [0.039d0, 0.041d0]
  integer(c_int) :: two(2), i
  type(nestbind_objects) :: objects
  type(nestbind_balance_options) :: options
  type(nestbind_balance_machine), target :: machine

  objects = nestbind_objects(count=10, load=c_loc(load), home=c_loc(homes))
  moved = nestbind_balance(objects, nestbind_balance_options(alpha=1d0, tolerance=-1d0), place)
  print '(a, i0, a, 10(1x, i0))', "homes: ", moved, ",", place

  machine = nestbind_balance_machine(slots=2, nodes=2, node=c_loc(node), factor=c_loc(factor))
  objects = nestbind_objects(count=2, load=c_loc(equal), first=c_loc(first), other=c_loc(other), messages=c_loc(messages))
  do i = 1, 2
    two = [0, 1]
    options = nestbind_balance_options(alpha=alphas(i), tolerance=-1d0, machine=c_loc(machine))
    moved = nestbind_balance(objects, options, two)
    print '(a, i0, a, 2(1x, i0))', "given: ", moved, ",", two
  end do
  two = [0, 99]
  print '(a, i0)', "refused ", nestbind_balance(objects, options, two)
end program balance_fortran
