# SPDX-License-Identifier: MIT
# Says `unchanged` if loading the package adds no method to a function of others, and makes no compiled code of theirs invalid.

# All method tables that can be reached from the modules that are loaded, by function.
function tables()
    found = IdDict{Any,Int}()
    valid = Any[]
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
                table isa Core.MethodTable && !haskey(found, table) && (found[table] = look_at(table, valid))
            end
        end
    end
    return found, valid
end

# Methods of a table. Compiled code that is valid goes to `valid`.
function look_at(table, valid)
    n = 0
    # Two tables are shared: that of all constructors, and from 1.9 on that of all calls with keywords.
    is_shared = table === Type.body.name.mt || table.name === :kwcall
    Base.visit(table) do method
        is_shared && Base.moduleroot(method.module) === own && return
        n += 1
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
    return n
end

own = nothing # the package, once it is loaded
before, valid = tables()
using Snoopi
own = Snoopi
after, _ = tables()
gained = [table.name for (table, n) in before if after[table] > n]
invalid = [code for code in valid if code.max_world != typemax(code.max_world)]
println(length(valid) < 1000 ? "nothing was looked at" : isempty(invalid) && isempty(gained) ? "unchanged" : "invalid $(length(invalid)), gained $gained")
