# SPDX-License-Identifier: MIT
# Compiles as many methods as is asked for, and enters inference 300 times from 20 calls deep, and 300 times from a
# function that was just compiled: what bench_stacks.py measures.
for k in 1:parse(Int, ARGS[1])
    f = @eval $(Symbol(:compiled, k))(x) = x + $k
    Base.invokelatest(f, 1)
end
known(::Val{k}) where {k} = k
@noinline deep(v, n) = n == 0 ? known(v[1]) : deep(v, n - 1)
for k in 1:300
    deep(Any[Val(k)], 20)
end
fresh(::Val{k}) where {k} = k
for k in 1:300
    f = @eval $(Symbol(:caller, k))(v) = fresh(v[1])
    Base.invokelatest(f, Any[Val(k)])
end
