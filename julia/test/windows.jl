# SPDX-License-Identifier: MIT
# Windows: where they begin and end, and what they hold.

module W
using Snoopi
a(x) = b(x) + 1
b(x) = 2x
c(x) = x
throws(x) = (b(x); error("thrown on purpose"))
inside(x) = helped(x) + 1
helped(x) = x
const tinf = Ref{Any}()
@generated function staged(x)
    tinf[] = @snoopi_deep Base.invokelatest(inside, 1.5)
    return :(x)
end
end

@testset "the value and the scope of the block are the caller's" begin
    tinf = @snoopi_deep assigned_in_block = W.c(0x1)
    @test assigned_in_block === 0x1
    function in_function()
        tinf = @snoopi_deep local_variable = Base.invokelatest(W.c, Int16(1))
        return local_variable, tinf
    end
    value, tinf = in_function()
    @test value === Int16(1)
    @test methods_of(flatten(tinf), (:c,)) == [:c]
    @test (@snoop_inference W.c(Int8(1))) isa InferenceTimingNode
end

@testset "an exception goes on, and what was measured is kept" begin
    thrown = try
        @snoopi_deep W.throws(0x1)
        nothing
    catch err
        err
    end
    @test thrown == ErrorException("thrown on purpose")
    @test methods_of(flatten(Snoopi.last(); sortby = nothing), (:throws, :b)) == [:throws, :b]
    @test Snoopi.last() === Snoopi.last()
end

@testset "windows inside of windows" begin
    inner = nothing
    outer = @snoopi_deep begin
        Base.invokelatest(W.a, 1f0)
        inner = @snoopi_deep Base.invokelatest(W.a, Int32(1))
        Base.invokelatest(W.c, "after")
    end
    @test methods_of(flatten(inner; sortby = nothing), (:a, :b, :c)) == [:a, :b]
    @test methods_of(flatten(outer; sortby = nothing), (:a, :b, :c)) == [:a, :b, :a, :b, :c]
    # What the inner one took is no part of the outer one.
    @test !any(n -> n.mod in ("Snoopi", "Snoopi.C"), flatten(outer))
end

@testset "windows of several tasks" begin
    tinfs = Vector{Any}(undef, 2)
    @sync for (i, x) in enumerate((1, 1.0))
        @async tinfs[i] = @snoopi_deep begin
            yield()
            Base.invokelatest(W.c, (x, i))
            yield()
        end
    end
    @test all(tinf -> :c in methods_of(flatten(tinf)), tinfs)
end

@testset "a window inside of a running inference" begin
    outer = @snoopi_deep W.staged(1)
    tinf = W.tinf[]
    @test methods_of(flatten(tinf; sortby = nothing), (:inside, :helped)) == [:inside, :helped]
    inside = find_node(tinf, :inside)
    @test inside in tinf.children
    @test inclusive(inside) <= inclusive(tinf)
    # Of the outer one it is in, at least when that is asked what it lacks.
    @test :inside in methods_of(flatten(outer))
end

@testset "@snoopi" begin
    timed = @snoopi tmin = 0.0 W.a(UInt16(1))
    @test [mi.def.name for (t, mi) in timed] == [:a]
    @test timed[1][1] > 0
    @test isempty(@snoopi tmin = 1e6 W.a(UInt32(1)))
    @test_throws Exception macroexpand(Main, :(@snoopi tmax = 1 f()))
end
