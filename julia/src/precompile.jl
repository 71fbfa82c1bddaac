# SPDX-License-Identifier: MIT
# Precompile directives.

"""
    ModuleParcel

What one module can have inferred when it is precompiled: its name `mod`, its `package`, how many seconds it is worth (`time`), and
`directives`: `(seconds, method_instance, text)`, those of most worth last. `file` is the name of the file that [`Snoopi.write`](@ref) makes of
it, `content` what is in it.
"""
struct ModuleParcel
    mod::String
    package::String
    time::Float64
    directives::Vector{Tuple{Float64,Union{Nothing,Core.MethodInstance},String}}
    file::String
    content::String
end

function read_parcel(precompile, index, recording)
    m = unsafe_load(ccall((:snoopi_precompile_module_at, libsnoopi), Ptr{C.PrecompileModule}, (Ptr{Cvoid}, Csize_t), precompile, index))
    directives = map(1:Int(m.n_directives)) do i
        d = unsafe_load(m.directives, i)
        return (d.total_ns / 1e9, subject(recording.trace, d.instance, recording.is_temporary).method_instance, C.text(d.text))
    end
    size = Ref{Csize_t}(0)
    content = ccall((:snoopi_precompile_file_text, libsnoopi), Cstring, (Ptr{Cvoid}, Csize_t, Ref{Csize_t}), precompile, index, size)
    content == C_NULL && throw(OutOfMemoryError())
    return ModuleParcel(C.text(m.mod), C.text(m.package), m.total_ns / 1e9, reverse!(directives), C.text(m.file), C.text(content))
end

"""
    ttot, pcs = parcel(tinf; tmin=0.0)

Sorts what was inferred to the modules that can have it inferred when they are precompiled. `ttot` is all of inference in seconds; `pcs` a vector of
[`ModuleParcel`](@ref), those of most worth last. What took less than `tmin` seconds is left out. The same as `snoopi precompile`, of all that
was measured; what is left to Main or has types that no package knows is in no parcel.

# Examples
```jldoctest
julia> using Snoopi, Dates

julia> ttot, pcs = parcel(@snoopi_deep Dates.Time("12:30", dateformat"HH:MM"));

julia> "Dates" in [p.mod for p in pcs]
true
```
"""
function parcel(tinf::InferenceTimingNode; tmin = 0.0)
    recording = tinf.recording
    err = Ref(C.Error())
    made = Ref{Ptr{Cvoid}}(C_NULL)
    options = Ref(C.PrecompileOptions(nanoseconds(tmin), C_NULL, C.Scope()))
    C.check(ccall((:snoopi_precompile_new, libsnoopi), Cint, (Ref{Ptr{Cvoid}}, Ptr{Cvoid}, Ref{C.PrecompileOptions}, Ref{C.Error}),
            made, recording.trace, options, err), err)
    try
        n = ccall((:snoopi_precompile_n_modules, libsnoopi), Csize_t, (Ptr{Cvoid},), made[])
        pcs = ModuleParcel[read_parcel(made[], i, recording) for i in 0:Int(n)-1]
        return sum(Float64[inclusive(root) for root in tinf.children]), reverse!(pcs)
    finally
        ccall((:snoopi_precompile_free, libsnoopi), Cvoid, (Ptr{Cvoid},), made[])
    end
end

"""
    Snoopi.write(folder, pcs)

Writes what [`parcel`](@ref) gave as files to be included in their modules, `precompile_MODULE.jl`, each with a function
`_precompile_()`. Tells how many directives each has.
"""
function write(folder::AbstractString, pcs::AbstractVector{ModuleParcel})
    mkpath(folder)
    for p in pcs
        path = joinpath(folder, p.file)
        open(io -> print(io, p.content), string(path, ".new"), "w")
        mv(string(path, ".new"), path; force = true)
        println(p.mod, ": ", length(p.directives), length(p.directives) == 1 ? " directive" : " directives", ", ", path)
    end
end

print_parcel(io::IO, p::ModuleParcel) =
    print(io, p.mod, ": ", length(p.directives), " directives, worth ", Base.Ryu.writefixed(p.time * 1e3, 2), " ms")
