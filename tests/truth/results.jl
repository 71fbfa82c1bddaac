# SPDX-License-Identifier: MIT
# A program to record: runs PROGRAM, then writes what Julia itself keeps of each instance's return type:
#
#   snoopi record julia --startup-file=no results.jl PROGRAM FILE
#
# A line is name, primary world of the method, 1 if it holds in the current world, type; "-" for an instance of which nothing is kept.

include(joinpath(@__DIR__, "../names/oracle.jl"))
include(joinpath(@__DIR__, "../names/all_instances.jl"))

is_native(code) = !(:owner in fieldnames(typeof(code))) || code.owner === nothing

function codes(mi)
    found = Any[]
    code = isdefined(mi, :cache) ? mi.cache : nothing
    while code !== nothing
        isdefined(code, :inferred) && is_native(code) && push!(found, code)
        code = isdefined(code, :next) ? code.next : nothing
    end
    found
end

function write_results(path)
    world = Base.get_world_counter()
    open(path, "w") do out
        for m in all_methods(), mi in specializations(m)
            name = try
                Base.invokelatest(instance_name, mi)
            catch
                continue
            end
            found = codes(mi)
            isempty(found) && println(out, escaped(name), '\t', m.primary_world, "\t0\t-")
            for code in found
                holds = code.min_world <= world <= code.max_world
                println(out, escaped(name), '\t', m.primary_world, '\t', holds ? 1 : 0, '\t',
                        escaped(without_main(shown(code.rettype))))
            end
        end
    end
end

Core.eval(Module(), :(include(path) = Base.include(@__MODULE__, path); include($(ARGS[1])))) # of names of its own
# The second time has the instances that the first time made.
write_results(ARGS[2])
write_results(ARGS[2])
