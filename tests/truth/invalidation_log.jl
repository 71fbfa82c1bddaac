# SPDX-License-Identifier: MIT
#
# What Julia itself says of the instances that definitions invalidate, for some that invalidate much of the system image.
#
#     julia invalidation_log.jl OUT
#
# runs a small program, defines methods in between, and writes to OUT the time at which they had been defined (of the clock that
# frames have too), and then each invalidated instance, as Julia's show gives it, with the line of its method. From 1.6 on they are
# those that Julia logs (jl_debug_method_invalidation); 1.5 only prints them, so all its method tables are looked through instead.
module Truth

const has_log = VERSION >= v"1.6"

begin_log() = has_log ? ccall(:jl_debug_method_invalidation, Any, (Cint,), 1) : Any[]

function in_log(log)
    # What stands before this text is the entry of a cache, whose code goes on to hold.
    is_of_cache(i) = i < length(log) && log[i+1] == "invalidate_mt_cache"
    return [log[i] for i in eachindex(log) if log[i] isa Core.MethodInstance && !is_of_cache(i)]
end

name_of(value) = (value isa Type ? Base.unwrap_unionall(value) : typeof(value)).name

function add_tables!(tables, mod, seen)
    push!(seen, mod)
    for name in names(mod, all = true, imported = true)
        isdefined(mod, name) || continue
        value = getfield(mod, name)
        if value isa Module
            value in seen || add_tables!(tables, value, seen)
        elseif (value isa Function || Base.unwrap_unionall(value) isa DataType) && isdefined(name_of(value), :mt)
            table = name_of(value).mt
            push!(tables, table)
            isdefined(table, :kwsorter) && push!(tables, typeof(table.kwsorter).name.mt)
        end
    end
end

newest_world(code) = isdefined(code, :next) ? max(code.max_world, newest_world(code.next)) : code.max_world

function ended_since(world)
    tables = Set{Any}(Any[DataType.name.mt, Union.name.mt, UnionAll.name.mt])
    foreach(mod -> add_tables!(tables, mod, Set{Module}()), vcat(Main, Base.loaded_modules_array()))
    found = Any[]
    for table in tables
        Base.visit(table) do method
            method isa Method || return
            for i in eachindex(method.specializations)
                isassigned(method.specializations, i) || continue
                instance = method.specializations[i]
                instance isa Core.MethodInstance && isdefined(instance, :cache) || continue
                world <= newest_world(instance.cache) < typemax(UInt) && push!(found, instance)
            end
        end
    end
    return found
end

function shown(instance)
    text = sprint(show, instance, context = :module => Module(:fresh))
    return replace(replace(text, "MethodInstance for " => ""), r"(?<![\w.!])Main\." => "")
end

function write_log(path, instances, defined_ns)
    open(path, "w") do io
        println(io, defined_ns)
        for instance in instances
            instance.def isa Method && println(io, shown(instance), '\t', instance.def.line)
        end
    end
end

# Compiled before anything is invalidated.
has_log || ended_since(Base.get_world_counter())

end

struct Weight
    grams::Int
end
inner(x) = x + 1
outer(x) = inner(x) * 2
around(x) = outer(x) + 0.5
kept(x) = x - 1
work(v) = (sprint(print, around(v[1])), sprint(show, v), kept(v[1]), filter(!isempty, ["a", ""]))
work(Any[1, 2.0, "three"])

truth_log = Truth.begin_log()
truth_world = Base.get_world_counter()
inner(x::Int) = x + 1.5
Base.:(!)(w::Weight) = Weight(-w.grams)
Base.isempty(w::Weight) = w.grams == 0
Base.convert(::Type{String}, w::Weight) = string(w.grams)
defined_ns = ccall(:jl_hrtime, UInt64, ())
ended = Truth.has_log ? Any[] : Truth.ended_since(truth_world)
!Weight(1)
work(Any[1, 2.0, "three"])
run(`true`)
Truth.write_log(ARGS[1], Truth.has_log ? Truth.in_log(truth_log) : ended, defined_ns)
