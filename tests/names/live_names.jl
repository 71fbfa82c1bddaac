# SPDX-License-Identifier: MIT
# A program to record: meets odd names, then writes the names of all instances that there are, by Julia's own show:
#
#   snoopi record julia --startup-file=no live_names.jl FILE

include(joinpath(@__DIR__, "oracle.jl"))
include(joinpath(@__DIR__, "bestiary.jl"))
include(joinpath(@__DIR__, "collect_instances.jl"))

function meet_odd_names()
    B = Bestiary
    for v in B.values_of_all_kinds()
        # what can't be a parameter is a TypeError
        try
            B.val(Val(v))
            B.two(Val(v), Val((v, 1)))
        catch
        end
        B.apply(identity, v)
    end
    exercise()
end

# Base exports a name of a module that it uses, and nobody has asked yet what it means there.
function meet_new_export()
    Base.eval(:(module Lately; export long_unseen; long_unseen(x) = x + 1; end))
    Base.eval(:(using .Lately))
    Base.eval(:(export long_unseen))
    Base.eval(:(Lately.long_unseen(1)))
end

function write_names(path)
    open(path, "w") do out
        for m in all_methods(), mi in specializations(m)
            name = try
                Base.invokelatest(instance_name, mi)
            catch
                continue
            end
            println(out, escaped(name))
        end
    end
end

# Julia's end, which is inferred unless the image has it: its hooks, and the finalizers of what is open until then.
function run_end()
    applicable(Base._atexit) ? Base._atexit() : Base._atexit(Cint(0))
    foreach(finalize, (Base.AsyncCondition(), Base.PipeEndpoint()))
end

meet_odd_names()
meet_new_export()
# The second time has the instances that the first time made.
write_names(ARGS[1])
run_end()
write_names(ARGS[1])
