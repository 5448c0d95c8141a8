C SPDX-License-Identifier: BSD-3-Clause
C     Fixed form: continuation lines, labels, comments, no PROGRAM
C     statement, and names that look like keywords.
      implicit none
      integer i, j, k, n, s, endx, do10i
      integer a(16)
      common /data/ a
c     a comment
      n = 2
      s = 0
      k = 0
      do10i = 3
c$omp parallel
      call row('all_plain')
c$omp end parallel
!$OMP PARALLEL DO DEFAULT(NONE) SHARED(S, N)
!$OMP+PRIVATE(I, J)
C     a comment between
!$OMP&REDUCTION(+:K)
!$OMP*NUM_THREADS(2) SCHEDULE(STATIC,1)
      do 20 i = 1, n
        call row('all_do')
C$OMP PARALLEL DO DEFAULT(NONE) SHARED(S) PRIVATE(J) NUM_THREADS(2)
        do 10 j = 1, 2
C$OMP ATOMIC
          s = s + 1
   10   continue
C$OMP END PARALLEL DO
   20 continue
      call tell('nested', s)
*$omp parallel do num_threads(2) collapse(2) reduction(+:s)
      do 30 i = 1, 4
      do 30 j = 1, 4
   30 s = s + i * j
      call tell('shared_label', s)
!$omp paralleldo num_threads(2) schedule(static,1)
      DO i=1,2
        IF (i .EQ. 1) THEN
          CALL row('all_upper')
        ELSE
          CALL row('all_upper')
        ENDIF
      ENDDO
!$omp parallel if(n .gt. 1) num_threads(n) default(shared)
!$omp1private(k) firstprivate(i)
      k = n
      call row('all_continued')
     + ! and more
!$omp end parallel
c$omp parallel sections num_threads(2)
c$omp section
      s = s + 0
c$omp section
      call row('sections')
c$omp endparallelsections
c$omp parallel workshare num_threads(2)
      a = 3
c$omp end parallel workshare
      call tell('workshare', a(16))
c$omp parallel num_threads(2)
c$omp do schedule(dynamic)
      do i = 1, 2
c$omp critical
        s = s + 1
c$omp end critical
      end do
c$omp end do
c$omp master
      s = s + 1
c$omp end master
c$omp barrier
c$omp single
      s = s + 1
c$omp end single
c$omp end parallel
      call tell('inside', s)
      do 50 i = 1, 2
!$omp parallel do num_threads(2) lastprivate(k)
      do 40 j = 1, 8
        if (j .gt. 4) goto 40
        k = j
   40 k = j
   50 call tell('last', k)
!$    call tell('conditional', 1)
      endx = 4
      call other(endx)
      print '(a)', 'c$omp parallel'
      call tell('done', do10i)
      end
      subroutine other(n)
      implicit none
      integer n, i
c$omp parallel do num_threads(2) ordered
      do i = 1, n
c$omp ordered
        call tell('ordered', i)
c$omp end ordered
      end do
      end subroutine
      integer function one(
     &  n)
      integer n
c$omp parallel num_threads(2)
      one = n
c$omp end parallel
      end function
      subroutine row(label)
      character*(*) label
      external show_row_text
      call show_row_text(label)
      end
      subroutine tell(label, number)
      character*(*) label
      integer number
      external say_number_text
      call say_number_text(label, number)
      end
