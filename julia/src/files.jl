# SPDX-License-Identifier: MIT
# Files: the trace itself, and what others read.

"""
    Snoopi.save(path, tinf)

Writes all that was measured as a trace, the file that `snoopi report`, `snoopi view` and all the others read.

# Examples
```jldoctest
julia> using Snoopi

julia> half(x) = x / 2;

julia> path = joinpath(mktempdir(), "half.snoopi");

julia> Snoopi.save(path, @snoopi_deep half(3));

julia> Snoopi.load(path).children[1].name
"half(::Int64)"
```
"""
function save(path::AbstractString, tinf::InferenceTimingNode)
    temporary = string(path, ".new")
    cp(tinf.recording.path, temporary; force = true)
    mv(temporary, path; force = true)
    return
end

"""
    Snoopi.load(path)

The tree of a trace: of [`Snoopi.save`](@ref), or of `snoopi record`, whose processes follow each other. Nodes have names but no `MethodInstance`: they
are of another process. The exclusive time of the root is the time outside of inference, of all processes.
"""
function load(path::AbstractString)
    Recorder.load_library()
    tinf = tree_of(open_recording(abspath(path), false), false)
    extend_base()
    return tinf
end

format_number(word) = C.number_of(i -> ccall((:snoopi_export_format_name, libsnoopi), Cstring, (Cint,), i), word)
by_number(word) = C.number_of(i -> ccall((:snoopi_by_name, libsnoopi), Cstring, (Cint,), i), word)

function export_file(tinf::InferenceTimingNode, path, format, by, tmin)
    err = Ref(C.Error())
    options = Ref(C.ExportOptions(format_number(format), by_number(by), 0, nanoseconds(tmin), C.Scope(), C.Filter(), C_NULL, false))
    C.check(ccall((:snoopi_export_file, libsnoopi), Cint, (Ptr{Cvoid}, Cstring, Ref{C.ExportOptions}, Ref{C.Error}),
            tinf.recording.trace, path, options, err), err)
    return String(path)
end

"""
    pprof(tinf, path="profile.pb.gz"; tmin=0.0)

Writes all that was measured as a profile for Google's pprof, and returns `path`.
"""
pprof(tinf::InferenceTimingNode, path::AbstractString = "profile.pb.gz"; tmin = 0.0) = export_file(tinf, path, "pprof", "instance", tmin)
