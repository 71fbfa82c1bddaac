#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Gates on recordings of a real julia: what changed is caught, what did not passes, each time.
load helper
setup() {
    need_julia
    in_own_folder
    mkdir old new
    cat >old/program.jl <<'END'
module Shapes
struct Square; side::Float64; end
struct Circle; radius::Float64; end
const settings = Dict(:scale => 2.0)
area(s::Square) = s.side^2
area(c::Circle) = 3.14 * c.radius^2
shrink(x) = x / (1 + x)
scaled(s) = shrink(area(s) * settings[:scale])
total(shapes) = sum(scaled(s) for s in shapes)
doubled(xs) = map(x -> 2x, xs)
run() = total((Square(1.0), Square(2.0))) + sum(doubled([1.0, 2.0])) + total([Circle(2.0)])
end
println(Shapes.run())
END
}

record() { snoopi record -o "$1" "$SNOOPI_JULIA" --startup-file=no "$2" >/dev/null 2>&1; }
gate() { snoopi diff --fail-if 'instances>+0 or roots>+0 or frames>+0' "$@"; }

# What the settings hold is not known any more, so that shrink() is called by a dispatch at run time.
with_dispatch() { sed 's/= Dict(/= Dict{Symbol,Any}(/' old/program.jl >new/program.jl; }

@test "a change that adds a dispatch at run time is caught, and no change passes, in each of five runs" {
    with_dispatch
    record base old/program.jl
    for run in 1 2 3 4 5; do
        record same old/program.jl
        run -0 gate base same
        record changed new/program.jl
        run -3 gate base changed
        assert_line --partial 'roots>+0 holds'
    done
}

@test "code that moved is the same code: closures, methods and top-level lines" {
    {
        echo '# a comment'
        echo '# and one more'
        sed 's/^doubled/unused(xs) = map(x -> x + 1, xs)\n\n&/' old/program.jl
    } >new/program.jl
    record base old/program.jl
    record moved new/program.jl
    run -0 gate base moved
    for by in instance method function file root; do
        run -0 json '[.appeared, .vanished], ([.rows[] | select(.delta_count != 0)] | length)' snoopi diff --by=$by --format=json base moved
        assert_output $'[0,0]\n0'
    done
    # The closure of doubled() has another number, where closures are not counted within their function, and lies elsewhere.
    local is_same=false
    ! since 1.12 || is_same=true
    run -0 json '.rows[] | select(.name | test("^\\(::Shapes.var\"#[^\"]*[0-9]\"\\)\\(::Float64")) | .old_line, .line, (.name == .old_name)' \
        snoopi diff --format=json base moved
    assert_output $'10\n14\n'"$is_same"
}

@test "recordings of different versions of Julia match" {
    cat >versions.jl <<'END'
module Shapes
struct Square; side::Float64; end
area(s::Square) = s.side^2
table(xs) = Dict(i => x for (i, x) in enumerate(xs))
doubled(xs) = map(x -> 2x, xs)
named(x; scale = 2) = x * scale
run() = area(Square(1.0)) + length(table([1, 2])) + sum(doubled([1.0, 2.0])) + named(1; scale = 3)
end
println(Shapes.run())
END
    record base versions.jl
    IFS=: read -ra others <<<"${SNOOPI_TEST_JULIAS:-}"
    for other in "$SNOOPI_JULIA" "${others[@]}"; do
        SNOOPI_JULIA=$other record other versions.jl
        run -0 json '.vanished, ([.rows[] | select(.old_line != .line)] | length)' snoopi diff --package=Main --format=json base other
        assert_output $'0\n0'
    done
}

@test "--package gates what is one's own" {
    sed 's/2x, xs)/maximum(Set((x, 2x))), xs)/' old/program.jl >new/program.jl
    record base old/program.jl
    record changed new/program.jl
    run -3 gate base changed
    run -0 gate --package=Main base changed
}

@test "record --repeat gives a spread" {
    snoopi record --repeat=3 -o base "$SNOOPI_JULIA" --startup-file=no old/program.jl >/dev/null 2>&1
    snoopi record --repeat=2 -o same "$SNOOPI_JULIA" --startup-file=no old/program.jl >/dev/null 2>&1
    run -0 gate base same
    run -0 json '[.old.recordings, .new.recordings, .old.is_steady, .new.is_steady], .old.inference_min_ns < .old.inference_max_ns' \
        snoopi diff --format=json base same
    assert_output $'[3,2,true,true]\ntrue'
}
