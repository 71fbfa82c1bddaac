# SPDX-License-Identifier: MIT
# Loaded by `snoopi precompile --check` before the recorded program, in a fresh julia: loads the modules that directives are for, runs
# the directives one by one, and writes what each came to. The folder SNOOPI_CHECK has `list` (a module and the path of its file
# a line, a tab between) and gets `results` (a line for each directive: held, not or failed, a tab, why). With
# SNOOPI_CHECK_LOADS=1 it loads the modules, and runs no directive.
module SnoopiCheck

function find_module(name)
    path = split(name, '.')
    for m in Base.loaded_modules_array()
        string(nameof(m)) == path[1] && return descend(m, path)
    end
    return descend(Base.require(Main, Symbol(path[1])), path)
end

descend(m, path) = foldl((parent, name) -> getfield(parent, Symbol(name)), path[2:end]; init = m)

one_line(e) = string(first(split(sprint(showerror, e), '\n')))

# The statements of _precompile_(), without the first and the last; and the functions that they need.
function read_file(path)
    top = Meta.parse(string("begin\n", read(path, String), "\nend"))
    functions = filter(x -> x isa Expr && x.head === :function, top.args)
    is_main(f) = f.args[1].args[1] === :_precompile_
    statements = filter(x -> x isa Expr, first(filter(is_main, functions)).args[2].args)
    return filter(!is_main, functions), statements[2:end-1]
end

# "held" or why not. A guard, `Package === nothing || …`, is asked by itself: it is no success of the directive.
function run_directive(m, variables, statement)
    evaluate(x) = Core.eval(m, Expr(:let, Expr(:block, variables...), x))
    try
        while statement.head === :||
            guard, statement = statement.args
            evaluate(guard) && return "failed\t$(guard.args[2]) is not loaded"
        end
        evaluate(statement) === true && return "held\t"
        return "not\tprecompile() found no method that is compiled for these types"
    catch e
        return string("failed\t", one_line(e))
    end
end

function check_module(out, name, path)
    functions, statements = read_file(path)
    variables = filter(x -> x.head === :(=), statements)
    directives = filter(x -> x.head !== :(=), statements)
    m = try
        find_module(name)
    catch e
        foreach(_ -> println(out, "failed\t", name, " can't be loaded: ", one_line(e)), directives)
        return
    end
    foreach(f -> Core.eval(m, f), functions)
    foreach(d -> println(out, run_directive(m, variables, d)), directives)
end

function check(folder)
    results = joinpath(folder, "results")
    ispath(results) && return # another process of the program, which has the same options
    open(results, "w") do out
        for line in eachline(joinpath(folder, "list"))
            name, path = split(line, '\t')
            if get(ENV, "SNOOPI_CHECK_LOADS", "") == "1"
                try
                    find_module(name)
                catch
                end
            else
                check_module(out, name, path)
            end
        end
        println(out, "end")
    end
end

check(ENV["SNOOPI_CHECK"])
ccall(:snoopi_agent_mark, Cvoid, (Cstring,), "snoopi precompile --check")

end
