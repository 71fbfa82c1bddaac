# SPDX-License-Identifier: MIT
# The methods and instances that there are in this Julia.

using Base: unwrap_unionall

function method_tables()
    isdefined(Core, :methodtable) && return [Core.methodtable] # from 1.12 on there is one
    tables = IdDict{Any,Nothing}()
    modules = IdDict{Module,Nothing}()
    add_table(mt) = haskey(tables, mt) || begin
        tables[mt] = nothing
        :kwsorter in fieldnames(typeof(mt)) && isdefined(mt, :kwsorter) && add_type(typeof(mt.kwsorter))
    end
    function add_type(@nospecialize(t))
        t = unwrap_unionall(t)
        t isa DataType && isdefined(t.name, :mt) && add_table(t.name.mt)
    end
    function visit(m::Module)
        haskey(modules, m) && return
        modules[m] = nothing
        for name in names(m, all = true, imported = true)
            Base.isbindingresolved(m, name) && isdefined(m, name) && !Base.isdeprecated(m, name) || continue
            x = getfield(m, name)
            x isa Module ? visit(x) : x isa Type ? add_type(x) : add_type(typeof(x))
        end
    end
    foreach(visit, Base.loaded_modules_array())
    foreach(visit, (Main, Base, Core))
    collect(keys(tables))
end

all_methods() = (ms = Method[]; foreach(mt -> Base.visit(m -> m isa Method && push!(ms, m), mt), method_tables()); unique(ms))

function specializations(m::Method)
    isdefined(Base, :specializations) && return Any[mi for mi in Base.specializations(m)]
    s = m.specializations
    s isa Core.SimpleVector || return Any[]
    Any[s[i] for i in 1:length(s) if isassigned(s, i) && s[i] isa Core.MethodInstance]
end
