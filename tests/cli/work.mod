!mod$ v1 sum:fa04b437d341b6f8
module work
contains
subroutine solve(n)
integer(4)::n
end
end
