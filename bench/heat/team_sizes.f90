! SPDX-License-Identifier: BSD-3-Clause
! Sets the sizes of the teams if nestbind has no specification with sizes.
module team_sizes
  use omp_lib, only: omp_set_dynamic, omp_set_max_active_levels, omp_set_num_threads
  implicit none
  private
  public :: set_outer_size, set_inner_size

contains

  function specification_sets_sizes() result(sets)
    logical :: sets
    character(len=8) :: use, specification
    integer :: status
    call get_environment_variable('OMP_NESTING_TEAM_SIZE', specification, status=status)
    sets = status /= 1 .and. specification /= 'auto'
    call get_environment_variable('NESTBIND_TEAM_SIZES', use, status=status)
    if (status == 0 .and. use == 'ignore') sets = .false.
  end function specification_sets_sizes

  subroutine set_outer_size(outer)
    integer, intent(in) :: outer
    call omp_set_dynamic(.false.)
    if (specification_sets_sizes()) return
    call omp_set_max_active_levels(2)
    call omp_set_num_threads(outer)
  end subroutine set_outer_size

  ! Called by each member of the outer team, because each member has its own nthreads-var.
  subroutine set_inner_size(inner)
    integer, intent(in) :: inner
    if (.not. specification_sets_sizes()) call omp_set_num_threads(inner)
  end subroutine set_inner_size

end module team_sizes
