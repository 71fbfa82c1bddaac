# SPDX-License-Identifier: MIT
# Writes what print_names.c prints, and what Julia itself prints for the same:
#
#   julia --startup-file=no dump_graph.jl FOLDER
#
# FOLDER/graph.snoopi-part   a segment with definitions alone
# FOLDER/expected.tsv        i<id> or n<id> (instance or node) TAB name by Julia's show, with \ \n \t escaped
# FOLDER/unshowable.txt      instances that show fails on

include(joinpath(@__DIR__, "oracle.jl"))
include(joinpath(@__DIR__, "graph_writer.jl"))
include(joinpath(@__DIR__, "bestiary.jl"))
include(joinpath(@__DIR__, "collect_instances.jl"))

using .GraphWriter

function main(folder)
    g = Graph(FRESH)
    failures = 0
    open(joinpath(folder, "expected.tsv"), "w") do out
        open(joinpath(folder, "unshowable.txt"), "w") do bad
            for mi in collect_instances()
                name = try
                    Base.invokelatest(instance_name, mi)
                catch e
                    println(bad, typeof(e), '\t', mi.def)
                    failures += 1
                    continue
                end
                println(out, 'i', instance!(g, mi), '\t', escaped(name))
            end
        end
        for x in collect_values()
            name = try
                without_main(shown(x))
            catch
                failures += 1
                continue
            end
            println(out, 'n', value_node!(g, x), '\t', escaped(name))
        end
    end
    write_segment(joinpath(folder, "graph.snoopi-part"), g)
    println(length(g.instances), " instances, ", g.last_id[5], " nodes, ", failures, " that show fails on",
            isempty(MISSING_PACKAGES) ? "" : string("; packages that do not load: ", join(MISSING_PACKAGES, ", ")))
end

main(ARGS[1])
