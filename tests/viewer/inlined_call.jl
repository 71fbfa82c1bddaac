# SPDX-License-Identifier: MIT
# A call that is dispatched at run time, in a function that is inlined into its caller.
@noinline innermost(x) = x + 1
@inline between(a) = innermost(a[1])
outermost(a) = (between(a); 1)
outermost(Any[1.5])
