! SPDX-License-Identifier: BSD-3-Clause
! The directives of OpenMP in free form: with and without end directives, on continued lines, in modules, internal
! procedures, BLOCK and interfaces. Each thread of a team prints the labels "all_".
module parts
  use rows
  implicit none
  integer, save :: own = 1
!$omp threadprivate(own)
  interface
    subroutine outside(n)
      integer, intent(in) :: n
    end subroutine outside
  end interface
  type :: holder
    integer :: end = 0, do = 0
  contains
    procedure :: fork => fork_holder
  end type holder
  interface tell
    module procedure tell_integer
  end interface tell
contains
  subroutine tell_integer(label, number)
    character(len=*), intent(in) :: label
    integer, intent(in) :: number
    call say_number(label, len(label), number)
  end subroutine tell_integer
  subroutine row(label)
    character(len=*), intent(in) :: label
    call show_row(label, len(label))
  end subroutine row
  subroutine fork_holder(self)
    class(holder), intent(inout) :: self
!$omp parallel num_threads(2)
    call row("all_member")
!$omp end parallel
    self%end = self%end + 1
  end subroutine fork_holder
  recursive integer function fibonacci(n) result(value)
    integer, intent(in) :: n
    integer :: a, b
    value = n
    if (n < 2) return
    !$omp task shared(a) if(n > 5) final(n < 4) mergeable
    a = fibonacci(n - 1)
    !$omp end task
    !$omp task shared(b) untied
    b = fibonacci(n - 2)
    !$omp end task
    !$omp taskwait
    value = a + b
  end function fibonacci
  pure integer function twice(n)
    integer, intent(in) :: n
!$omp declare simd(twice) notinbranch
    twice = 2 * n
  end function twice
end module parts

subroutine outside(n)
  use parts, only: tell, &
                   row
  integer, intent(in) :: n
!$omp parallel num_threads(n) default(none)
  call row("all_outside")
!$omp end parallel
end subroutine outside

program free
  use, intrinsic :: iso_c_binding
  use parts; use omp_lib
  implicit none
  integer :: n, first, last, sum, i, j, values(64), enddo
  type(holder) :: held
  n = 2
  first = 3
  sum = 0
  enddo = 0
  !$omp parallel
  call row("all_plain")
  !$omp end parallel
  !$OMP PARALLEL NUM_THREADS(n) IF(n > 1) DEFAULT(NONE) &
  !$OMP& SHARED(sum) FIRSTPRIVATE(first) & ! a comment
  ! another
  !$omp   proc_bind(spread)
  call row("all_clauses")
  !$omp atomic
  sum = sum + first
  !$omp end parallel
  call tell("clauses", sum)
  !$omp parallel if(parallel: n < 0)
  call tell("serial", omp_get_num_threads())
  !$omp end parallel
  own = 7
  !$omp parallel num_threads(2) copyin(own) reduction(+:sum)
  sum = sum + own
  !$omp endparallel
  call tell("copyin", sum)

  !$omp parallel do num_threads(2) schedule(static, 1)
  do i = 1, 2
    call row("all_do")
  end do
  !$omp end parallel do
  !$omp parallel do num_threads(2) schedule(static, 1)
  do i = 1, 2
    if (i == 1) then; call row("all_no_end"); else; call row('all_no_end'); end if
  enddo
  sum = 0
  !$omp parallel do collapse(2) num_threads(2) lastprivate(last) &
  !$omp& reduction(+:sum) private(j)
  rows_of: do i = 1, 8
    columns_of: do j = 1, 8
      sum = sum + i * j
      last = i + j
    end do columns_of
  end do rows_of
  call tell("collapse", sum + last)
  !$omp parallel do default(none) shared(values) firstprivate(sum) lastprivate(last) num_threads(2)
  do 10, i = 1, 64
    values(i) = i
    last = i + 0 * sum
10 continue
  call tell("none", values(64) + last)
  !$omp paralleldo private(j) num_threads(2)
  do 30 i = 1, 4
  do 30 j = 1, 4
    values(4 * i + j) = i
30 end do
  !$omp parallel do simd num_threads(2) default(none) shared(values) private(j) reduction(+:sum) linear(last)
  do i = 1, 64
    j = values(i)
    sum = sum + j
    last = last + 1
  end do
  !$omp end parallel do simd
  call tell("simd", sum + last)
  !$omp parallel do ordered num_threads(2) schedule(static, 1)
  do i = 1, 4
    !$omp ordered
    call tell("ordered", i)
    !$omp end ordered
  end do
  !$omp parallel loop num_threads(2) reduction(+:sum)
  do i = 1, 64
    sum = sum + values(i)
  end do
  call tell("loop", sum)
  !$omp parallel sections num_threads(2) reduction(+:sum)
  call row("sections")
  !$omp section
  call row("sections"); sum = sum + 1
  !$omp section
  sum = sum + 2
  !$omp end parallel sections
  !$omp parallel workshare num_threads(2)
  values = values + 1
  where (values > 10) values = 10
  !$omp end parallel workshare
  call tell("workshare", values(1) + values(64))
  !$omp parallel master num_threads(2)
  call row("master")
  !$omp end parallel master
  !$omp parallel masked filter(1) num_threads(2)
  call row("masked")
  !$omp end parallel masked
  !$omp parallel num_threads(2) default(none) shared(sum, n) private(last)
  !$omp single
  last = 4
  !$omp end single copyprivate(last)
  !$omp critical (adding)
  sum = sum + last
  !$omp end critical (adding)
  !$omp barrier
  !$omp master
  sum = sum + 100
  !$omp end master
  !$omp flush
  !$omp do schedule(dynamic)
  do i = 1, n
    !$omp atomic update
    sum = sum + 1
  end do
  !$omp end do nowait
  !$omp do
  do i = 1, n
    !$omp atomic
    sum = sum + 1
  end do
  call row("all_inside")
  !$omp end parallel
  call tell("shared", sum)

  !$omp parallel num_threads(2)
  !$omp single
  sum = fibonacci(8)
  !$omp end single
  !$omp end parallel
  call tell("tasks", sum)
  !$omp parallel master taskloop num_threads(2) grainsize(8) default(none) shared(values)
  do i = 1, 64
    values(i) = i
  end do
  !$omp end parallel master taskloop
  !$omp parallel masked taskloop simd num_threads(2) reduction(+:sum) if(sum > 0)
  do i = 1, 64
    sum = sum + values(i)
  end do
  call tell("taskloop", sum)
  !$omp parallel num_threads(2)
  !$omp single
  !$omp task default(none) shared(values)
  !$omp parallel num_threads(2) default(none) shared(values)
  call row("in_task")
  values(omp_get_thread_num() + 1) = 5
  !$omp end parallel
  !$omp end task
  !$omp end single
  !$omp end parallel

  !$omp parallel num_threads(n) default(none) shared(n) reduction(+:sum)
  !$omp parallel num_threads(n) default(none) reduction(+:sum) if(n > 0)
  call row("all_nested")
  sum = sum + omp_get_level()
  !$omp end parallel
  !$omp parallel do num_threads(n) schedule(static, 1)
  do i = 1, 2
    call row("all_nested_do")
  end do
  !$omp end parallel
  call tell("nested", sum)

  block
    integer :: local
    local = 1
    !$omp parallel num_threads(2) default(none) reduction(+:local)
    call row("all_block")
    local = local + 1
    !$omp end parallel
    call tell("block", local)
  end block
  !$omp parallel num_threads(2)
  block
    integer :: mine
    mine = omp_get_thread_num()
    if (mine < 2) call row("all_strict_block")
  end block
  !$omp parallel num_threads(2)
  block
    call row("all_strict_end")
  end block
  !$omp end parallel
  associate (k => n)
    !$omp parallel do num_threads(k)
    do j = 1, 2
    end do
  end associate
  print '(a)', "!$omp parallel ; 'quoted' & &
    &!$omp end parallel"
  !$ if (n == 2) call &
  !$   tell("conditional", n)
  enddo = 5; held%do = enddo
  !$omp target teams distribute parallel do map(tofrom: sum) reduction(+:sum)
  do i = 1, 8
    sum = sum + i
  end do
  !$omp teams num_teams(1) reduction(+:sum)
  !$omp parallel num_threads(2) reduction(+:sum)
  sum = sum + 1
  !$omp end parallel
  !$omp end teams
  call tell("target", sum)
  !$omp parallel num_threads(2)
  !$omp do
  do i = 1, 8
    !$omp cancel do if(i == 70)
    !$omp cancellation point do
    call inside(i)
  end do
  !$omp end do
  !$omp end parallel
  call held%fork()
  call outside(2)
  call inside(1)
  include 'included.inc'
contains
  subroutine inside(k)
    integer, intent(in) :: k
    character(len=3), parameter :: do1 = "do "
    if (k > 1) return
    !$omp parallel num_threads(len(do1) - 1)
    if (omp_get_level() == 1) call row("all_internal")
    !$omp end parallel
  end subroutine inside
end program free
