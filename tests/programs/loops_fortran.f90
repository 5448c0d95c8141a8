! SPDX-License-Identifier: BSD-3-Clause
! loops_fortran: some checks of the programs loops*, in Fortran.
module counting
  use omp_lib
  use, intrinsic :: iso_fortran_env, only: int32, int64
  implicit none
  integer, parameter :: most = 10000
  integer, parameter :: sizes(22) = [0, 1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 31, 64, 65, 100, 255, 256, 999, 1025, 2000, 4097, 9999]
  integer :: counts(0:most) = 0
contains
  subroutine count_iteration(i)
    integer(int64), intent(in) :: i
    if (i < 0 .or. i >= most) then
      !$omp atomic
      counts(most) = counts(most) + 1
    else
      !$omp atomic
      counts(i) = counts(i) + 1
    end if
  end subroutine

  ! Resets the counts.
  logical function each_once(n)
    integer, intent(in) :: n
    each_once = all(counts(0:n - 1) == 1) .and. all(counts(n:most) == 0)
    if (.not. each_once) print '(a,i0,a)', ' ', n, ' iterations: not each was run once'
    counts = 0
  end function

  subroutine tell(name, is_good)
    character(*), intent(in) :: name
    logical, intent(in) :: is_good
    if (is_good) then
      print '(a)', name // ' good'
    else
      print '(a)', name // ' WRONG'
    end if
  end subroutine
end module

module loops
  use counting
  implicit none
contains
  subroutine orphaned(n)
    integer, intent(in) :: n
    integer :: i
    !$omp do schedule(runtime)
    do i = 1, n
      call count_iteration(int(i - 1, int64))
    end do
    !$omp end do
  end subroutine

  subroutine long(n)
    integer, intent(in) :: n
    integer(int64) :: i, low
    low = 4611686018427387904_int64
    !$omp do schedule(runtime)
    do i = low, low + 3 * (n - 1), 3
      call count_iteration((i - low) / 3)
    end do
    !$omp end do
  end subroutine

  subroutine down(n)
    integer, intent(in) :: n
    integer :: i
    !$omp do schedule(guided)
    do i = -7, -7 - 2 * (n - 1), -2
      call count_iteration(int((-7 - i) / 2, int64))
    end do
    !$omp end do
  end subroutine

  subroutine at_the_border(n)
    integer, intent(in) :: n
    integer(int32) :: i, low
    low = -huge(low) - 1
    !$omp do schedule(dynamic, 3)
    do i = low, low + n - 1
      call count_iteration(int(i, int64) - int(low, int64))
    end do
    !$omp end do
  end subroutine

  logical function kinds_are_right()
    integer :: threads, s
    kinds_are_right = .true.
    do threads = 1, 8
      do s = 1, size(sizes)
        !$omp parallel num_threads(threads)
        call orphaned(sizes(s))
        !$omp single
        kinds_are_right = each_once(sizes(s)) .and. kinds_are_right
        !$omp end single
        call long(sizes(s))
        !$omp single
        kinds_are_right = each_once(sizes(s)) .and. kinds_are_right
        !$omp end single
        call down(sizes(s))
        !$omp single
        kinds_are_right = each_once(sizes(s)) .and. kinds_are_right
        !$omp end single
        if (sizes(s) > 0) then
          call at_the_border(sizes(s))
          !$omp single
          kinds_are_right = each_once(sizes(s)) .and. kinds_are_right
          !$omp end single
        end if
        !$omp end parallel
      end do
    end do
  end function

  logical function collapse_is_right()
    integer :: threads, n, i, k
    collapse_is_right = .true.
    do threads = 1, 8
      do n = 0, 60, 7
        !$omp parallel do num_threads(threads) collapse(2) schedule(runtime)
        do i = 1, n
          do k = 30, 1, -1
            call count_iteration(int((i - 1) * 30 + 30 - k, int64))
          end do
        end do
        !$omp end parallel do
        collapse_is_right = each_once(30 * n) .and. collapse_is_right
      end do
    end do
  end function

  logical function last_is_right()
    integer :: threads, s, i, value
    real :: x
    last_is_right = .true.
    do threads = 1, 8
      do s = 2, size(sizes)
        value = -1
        !$omp parallel do num_threads(threads) schedule(runtime) lastprivate(value) private(x)
        do i = 1, sizes(s)
          value = 3 * i
          x = busy(sizes(s) - i)
          if (x < 0) value = 0
        end do
        !$omp end parallel do
        if (value /= 3 * sizes(s)) then
          last_is_right = .false.
          print '(a,i0,a,i0,a,i0)', ' ', threads, ' threads, ', sizes(s), ' iterations: ', value
        end if
      end do
    end do
  end function

  real function busy(n)
    integer, intent(in) :: n
    integer :: i
    busy = 0
    do i = 1, n / 8
      busy = busy + sqrt(real(i))
    end do
  end function

  logical function reductions_are_right()
    integer :: threads, s, n, i, least
    integer(int64) :: total
    logical :: is_any
    reductions_are_right = .true.
    do threads = 1, 8
      do s = 1, size(sizes)
        n = sizes(s)
        total = 0
        least = huge(least)
        is_any = .false.
        !$omp parallel do num_threads(threads) schedule(runtime) reduction(+:total) reduction(min:least) reduction(.or.:is_any)
        do i = 1, n
          total = total + i
          least = min(least, n - i)
          is_any = is_any .or. i == 5
        end do
        !$omp end parallel do
        reductions_are_right = reductions_are_right .and. total == int(n, int64) * (n + 1) / 2
        reductions_are_right = reductions_are_right .and. (n == 0 .or. least == 0) .and. (is_any .eqv. n >= 5)
      end do
    end do
  end function

  logical function nowait_is_right()
    integer :: threads, l, i
    nowait_is_right = .true.
    do threads = 1, 8
      !$omp parallel num_threads(threads) private(l)
      do l = 0, 19
        !$omp do schedule(runtime)
        do i = 0, 99
          call count_iteration(int(100 * l + i, int64))
        end do
        !$omp end do nowait
      end do
      !$omp end parallel
      nowait_is_right = each_once(2000) .and. nowait_is_right
    end do
  end function

  logical function ordered_is_right()
    integer :: threads, i, next, wrong
    ordered_is_right = .true.
    do threads = 1, 8
      next = 1
      wrong = 0
      !$omp parallel num_threads(threads)
      !$omp do schedule(runtime) ordered
      do i = 1, 40
        !$omp ordered
        if (next /= i) wrong = wrong + 1
        next = next + 1
        !$omp end ordered
      end do
      !$omp end do
      call orphaned(500)
      !$omp end parallel
      ordered_is_right = each_once(500) .and. ordered_is_right .and. wrong == 0 .and. next == 41
    end do
  end function

  ! Four inner teams of 3 run the same loop at once.
  logical function nested_is_right()
    integer :: round, outer, i
    nested_is_right = .true.
    call omp_set_max_active_levels(2)
    do round = 1, 20
      !$omp parallel num_threads(4) private(outer)
      outer = omp_get_thread_num()
      !$omp parallel num_threads(3) firstprivate(outer)
      !$omp do schedule(runtime)
      do i = 0, 99
        call count_iteration(int(100 * outer + i, int64))
      end do
      !$omp end do
      !$omp end parallel
      !$omp end parallel
      nested_is_right = each_once(400) .and. nested_is_right
    end do
  end function
end module

program loops_fortran
  use loops
  implicit none
  call tell('kinds', kinds_are_right())
  call tell('collapse', collapse_is_right())
  call tell('last', last_is_right())
  call tell('reductions', reductions_are_right())
  call tell('nowait', nowait_is_right())
  call tell('ordered', ordered_is_right())
  call tell('nested', nested_is_right())
end program
