# SPDX-License-Identifier: MIT
# Says `unchanged` if loading the package adds no method to a function of others, and makes no compiled code of theirs invalid.

# How many methods each function has: by its table, and from 1.12 on, where all share one, by the name of what is called. Compiled code that is
# valid goes to `valid`.
function methods_by_function(valid)
    found = IdDict{Any,Int}()
    if isdefined(Core, :methodtable)
        Base.visit(method -> count_method(found, called_name(method), method, valid), Core.methodtable)
    else
        for table in tables()
            Base.visit(method -> count_method(found, table, method, valid), table)
        end
    end
    return found
end

# Of what is called. Several functions at once, and all, have that of Any.
function called_name(method)
    called = Base.unwrap_unionall(Base.unwrap_unionall(method.sig).parameters[1])
    return called isa DataType ? called.name : Any.name
end

# All method tables that can be reached from the modules that are loaded.
function tables()
    found = IdDict{Any,Nothing}()
    todo, seen = Module[Core, Base], Set{Module}()
    while !isempty(todo)
        m = pop!(todo)
        m in seen && continue
        push!(seen, m)
        for name in names(m; all = true, imported = true)
            isdefined(m, name) && !Base.isdeprecated(m, name) || continue
            x = getfield(m, name)
            if x isa Module
                push!(todo, x)
            elseif x isa Function || x isa Type
                type = x isa Function ? typeof(x) : Base.unwrap_unionall(x)
                table = type isa DataType && isdefined(type.name, :mt) ? type.name.mt : nothing
                table isa Core.MethodTable && (found[table] = nothing)
            end
        end
    end
    return keys(found)
end

# Shared by many: what constructors have, and from 1.9 on all calls with keywords.
is_shared(table::Core.MethodTable) = table === Type.body.name.mt || table.name === :kwcall
is_shared(name::Core.TypeName) = name === Type.body.name || name === Any.name || name === typeof(Core.kwcall).name

function count_method(found, function_of, method, valid)
    is_shared(function_of) && Base.moduleroot(method.module) === own && return
    found[function_of] = get(found, function_of, 0) + 1
    all = method.specializations # several, or the only one
    for i in 1:(all isa Core.SimpleVector ? length(all) : 1)
        instance = all isa Core.SimpleVector ? (isassigned(all, i) ? all[i] : nothing) : all
        instance isa Core.MethodInstance && isdefined(instance, :cache) || continue
        code = instance.cache
        while true
            code.max_world == typemax(code.max_world) && push!(valid, code)
            isdefined(code, :next) || break
            code = code.next
        end
    end
end

own = nothing # the package, once it is loaded
const valid = Any[]
const before = methods_by_function(valid)
using Snoopi
own = Snoopi
const after = methods_by_function(Any[])
gained = [of.name for (of, n) in before if after[of] > n]
invalid = [code for code in valid if code.max_world != typemax(code.max_world)]
println(length(valid) < 1000 ? "nothing was looked at" : isempty(invalid) && isempty(gained) ? "unchanged" : "invalid $(length(invalid)), gained $gained")
