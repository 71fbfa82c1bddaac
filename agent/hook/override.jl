# SPDX-License-Identifier: MIT
#
# Run in the recorded process where --hook=override asked for it, before the program: the compiler's functions are
# redefined as wrappers that tell the agent of each call, around a copy of their own code.
#
# `targets` has, for each function: its name, what it is to the agent (enum target_kind), and the names of the types of its
# first arguments; none where all its methods are meant.
function override(targets)
    compiler = Core.Compiler
    world_before = Base.get_world_counter()

    named(name) = isdefined(compiler, name) ? getfield(compiler, name) : getfield(Core, name)

    # The same code under another name.
    function copy_method(m, name)
        f = Core.eval(compiler, :(function $name end))
        types = Core.svec(typeof(f), m.sig.parameters[2:end]...)
        signature = Core.svec(types, Core.svec(), LineNumberNode(Int(m.line), m.file))
        code = Base.uncompressed_ast(m)
        if VERSION < v"1.7"
            ccall(:jl_method_def, Cvoid, (Any, Any, Any), signature, code, compiler)
        else
            ccall(:jl_method_def, Any, (Any, Ptr{Cvoid}, Any, Any), signature, C_NULL, code, compiler)
        end
    end

    function wrap(m, kind)
        body = Symbol("snoopi_", m.name, '_', m.line)
        types = m.sig.parameters[2:end]
        names = [Symbol('a', i) for i in 1:length(types)]
        at = findfirst(T -> T isa DataType && T.name.name in (:InferenceState, :IRInterpretationState), types)
        frame = at === nothing ? nothing : names[at]
        copy_method(m, body)
        Core.eval(compiler, quote
            function $(m.name)($([:($n::$T) for (n, T) in zip(names, types)]...))
                ccall(:snoopi_agent_override_begin, Nothing, (Any, Int32), $frame, $kind)
                result = $body($(names...))
                ccall(:snoopi_agent_override_end, Nothing, (Int32, Int32), result === false ? Int32(0) : Int32(1), $kind)
                return result
            end
        end)
    end

    for (name, kind, arguments) in targets
        isdefined(compiler, name) || continue
        f = getfield(compiler, name)
        wanted = isempty(arguments) ? collect(methods(f)) :
            [which(f, Tuple{map(named, arguments)...})]
        foreach(m -> wrap(m, Int32(kind)), wanted)
    end

    # Everything that was invalidated by that must be compiled before inference is asked to run in the new world, or it would
    # need itself to compile itself.
    function was_invalidated(mi)
        isdefined(mi, :cache) || return false
        code = mi.cache
        newest = typemin(UInt)
        while true
            code.max_world == typemax(UInt) && return false
            newest = max(newest, code.max_world)
            isdefined(code, :next) || break
            code = code.next
        end
        return newest >= world_before # what ended earlier serves the compiler's own, older world
    end
    each(f, ::Nothing) = nothing
    each(f, mi::Core.MethodInstance) = f(mi)
    each(f, list::Core.SimpleVector) = for i in 1:length(list)
        isassigned(list, i) && each(f, list[i])
    end
    function compile_invalidated()
        stale = Any[]
        for name in names(compiler, all = true)
            value = isdefined(compiler, name) ? getfield(compiler, name) : nothing
            value isa Function || continue
            for m in methods(value)
                each(mi -> was_invalidated(mi) && push!(stale, mi.specTypes), m.specializations)
            end
        end
        foreach(types -> ccall(:jl_compile_hint, Int32, (Any,), types), stale)
        return length(stale)
    end
    # Some specializations can't be compiled by their signature; none of those is called as such.
    left = typemax(Int)
    while (now = compile_invalidated()) < left && now > 0
        left = now
    end
    for (name, _, arguments) in targets
        f = isdefined(compiler, name) ? getfield(compiler, name) : nothing
        if f !== nothing && !isempty(arguments)
            ccall(:jl_compile_hint, Int32, (Any,), Tuple{typeof(f),map(named, arguments)...})
        end
    end

    entrance = isdefined(compiler, :typeinf_ext_toplevel) ? :typeinf_ext_toplevel : :typeinf_ext
    f = getfield(compiler, entrance)
    ccall(:jl_compile_hint, Int32, (Any,), Tuple{typeof(f),Core.MethodInstance,UInt})
    # The compiler will run in the world that this is called in.
    function switch()
        ccall(:jl_set_typeinf_func, Cvoid, (Any,), f)
        ccall(:snoopi_agent_override_done, Cvoid, (UInt,), ccall(:jl_get_tls_world_age, UInt, ()))
    end
    Base.invokelatest(switch)
end
