C SPDX-License-Identifier: BSD-3-Clause
C FORTRAN 77, fixed form: loops, sections, a lock and continuation lines.
      program fixed
      implicit none
      integer i, j, n, s
      parameter (n = 4)
      integer*8 lock
      call omp_init_lock(lock)
      s = 0
C$OMP PARALLEL DO DEFAULT(NONE) SHARED(S, LOCK) PRIVATE(I, J)
C$OMP+NUM_THREADS(4) SCHEDULE(STATIC, 1)
      do 20 i = 1, n
C$OMP PARALLEL DO DEFAULT(NONE) SHARED(S, LOCK) PRIVATE(J)
C$OMP&NUM_THREADS(2) SCHEDULE(STATIC, 1)
        do 10 j = 1, 2
          call show_here
          call omp_set_lock(lock)
          s = s + 1
          call omp_unset_lock(lock)
   10   continue
C$OMP END PARALLEL DO
   20 continue
C$OMP END PARALLEL DO
      call omp_destroy_lock(lock)
      if (s .ne. 8) print *, 'wrong sum', s
      end

      subroutine show_here
      external show_row_fixed
      call show_row_fixed
      end
