# SPDX-License-Identifier: MIT
# What Julia reads in files of directives. For each FILE:
#
#     julia check_directives.jl FILE…              it parses, and holds nothing but look-ups, types and precompile()
#     julia check_directives.jl --run FILE…        and all its directives hold, in the module that its name says
#
# A third reader, beside lib/precompile/grammar.c and Julia's own: it looks at what was parsed, not at text.
const is_run = !isempty(ARGS) && ARGS[1] == "--run"
const files = is_run ? ARGS[2:end] : ARGS
const calls = (:_precompile_body_, :typeof, :Symbol, :Int8, :Int16, :Int32)

# Whether evaluating an expression can only look up names and build types and tuples.
is_harmless(x) = x isa Union{Symbol,Number,String,LineNumberNode,Nothing}
is_harmless(x::QuoteNode) = x.value isa Symbol
function is_harmless(x::Expr)
    x.head === :call && x.args[1] === :(<:) && return all(is_harmless, x.args[2:end])
    if x.head === :call
        return (x.args[1] in calls || x.args[1] == :(Core.kwftype)) && all(is_harmless, x.args[2:end])
    end
    if x.head === :macrocall # var"…" where the parser does not do it
        return x.args[1] === Symbol("@var_str") && x.args[3] isa String
    end
    return x.head in (:curly, :., :tuple, :where, :<:, :>:, :comparison) && all(is_harmless, x.args)
end

is_guard(x) = x isa Expr && x.head === :call && x.args[1] === :(===) && x.args[2] isa Symbol && x.args[3] === :nothing

function directive(statement)
    while statement isa Expr && statement.head === :|| && is_guard(statement.args[1])
        statement = statement.args[2]
    end
    return statement isa Expr && statement.head === :call && statement.args[1] in (:(Base.precompile), :_precompile_body_) ?
           statement : nothing
end

function is_variable(statement)
    statement isa Expr && statement.head === :(=) && statement.args[1] isa Symbol || return false
    value = statement.args[2]
    value == Meta.parse("Base.moduleroot(@__MODULE__)") && return true
    value isa Expr && value.head === :macrocall && return false
    string(value) == "Base.moduleroot(#= none:1 =# @__MODULE__)" && return true
    return value isa Expr && value.head === :call && (value.args[1] === :_precompile_package_ && value.args[2] isa String ||
           value.args[1] == :(Base.moduleroot) && value.args[2].args[1] === Symbol("@__MODULE__"))
end

function target(file)
    path = split(replace(basename(file), r"^precompile_|\.jl$" => ""), '.')
    root = first(m for m in Base.loaded_modules_array() if string(nameof(m)) == path[1])
    return foldl((m, name) -> getfield(m, Symbol(name)), path[2:end]; init = root)
end

total = 0
for file in files
    top = Meta.parse("begin\n" * read(file, String) * "\nend")
    functions = filter(x -> x isa Expr && x.head === :function, top.args)
    all(x -> x isa LineNumberNode || x in functions, top.args) || error("$file: more than functions")
    names = [f.args[1].args[1] for f in functions]
    issubset(names, (:_precompile_, :_precompile_package_, :_precompile_body_)) || error("$file: functions $names")
    statements = filter(x -> !(x isa LineNumberNode), functions[findfirst(==(:_precompile_), names)].args[2].args)
    statements[1] == Meta.parse("ccall(:jl_generating_output, Cint, ()) == 1 || return nothing") || error("$file: no guard")
    statements[end] == Meta.parse("return nothing") || error("$file: no end")
    variables = filter(is_variable, statements)
    for statement in statements[2:end-1]
        statement in variables && continue
        call = directive(statement)
        call !== nothing && all(is_harmless, call.args) || error("$file: $statement")
        global total += 1
    end
    is_run || continue
    m = target(file)
    for f in functions
        f.args[1].args[1] === :_precompile_ || Core.eval(m, f)
    end
    for statement in statements[2:end-1]
        statement in variables && continue
        held = Core.eval(m, Expr(:let, Expr(:block, variables...), statement))
        held === true || error("$file: $held: $statement")
    end
end
println(total, " directives in ", length(files), " files")
