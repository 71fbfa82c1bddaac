# Functions that call each other. The first of a cycle that is called is on top of the others, which end unfinished (flag cycle):
# it finishes them. Below above(): even over odd, and first over second over third; third calls leaf, which is in no cycle. A frame of a cycle has its own callees
# below it. inner() closes a cycle of two inside one of two: all four are one cycle, in the order of the calls.
even(n) = n == 0 ? true : odd(n - 1)
odd(n) = n == 0 ? false : even(n - 1)
leaf(x) = x * 2.5
first_of(x, n) = n < 0 ? x : second_of(x, n - 1)
second_of(x, n) = n < 0 ? x : third_of(x, n - 1)
third_of(x, n) = n < 0 ? leaf(x) : first_of(x, n - 1)
above(x, n) = even(n) ? first_of(x, n) : x
outer(n) = n < 0 ? 0 : back(n - 1)
back(n) = n < 0 ? outer(n) : inner(n - 1)
inner(n) = n < 0 ? back(n) : innermost(n - 1)
innermost(n) = n < 0 ? 1 : inner(n - 1)
println(above(1.0, 4), ' ', outer(9))
