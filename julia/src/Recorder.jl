# SPDX-License-Identifier: MIT
# The core: it asks the agent to record from one moment to another, and does nothing else. Loading it runs no code, adds no method to a
# function of others, and so infers and invalidates nothing. docs/architecture.md says why that is apart.
module Recorder

import Libdl

# Both are known to the loader by these names once they are loaded by their paths. An agent that `snoopi record` preloaded has the same
# name, so it is the one that is asked.
const libsnoopi = "libsnoopi.so.0"
const libagent = "libsnoopi-agent.so"

# What is recorded, in a place of its own, until the process ends.
mutable struct Session
    is_ready::Bool
    folder::String    # private: the segment of a session that is not recorded anyway, and traces of windows
    number::Int       # windows so far
    last::Any         # the Window that ended last, or nothing
    lock::Threads.SpinLock
end
const session = Session(false, "", 0, nothing, Threads.SpinLock())

# A window: from a moment to another, in nanoseconds of the monotonic clock. end_ns is 0 while it is open.
mutable struct Window
    number::Int
    end_label::String # of the mark; made ahead, so that nothing is to be done at the end
    begin_ns::UInt64
    end_ns::UInt64
    result::Any
end

const source_folder = @__DIR__

# Folders in which the libraries may be: the one that is named, a build tree that this file is in, where `cmake --install` puts them.
function folders()
    named = get(ENV, "SNOOPI_LIBDIR", "")
    isempty(named) || return [named]
    root = dirname(dirname(source_folder))
    return [joinpath(root, "build", "release", "lib"), joinpath(root, "build", "debug", "lib"),
        joinpath(dirname(dirname(root)), "lib")]
end

# Loads `name`: the one that is there already, one of folders(), or where the system looks for libraries.
function load(name)
    Libdl.dlopen(name, Libdl.RTLD_LAZY | Libdl.RTLD_NOLOAD; throw_error = false) === nothing || return
    for folder in folders()
        path = joinpath(folder, name)
        isfile(path) && (Libdl.dlopen(path, Libdl.RTLD_LAZY); return)
    end
    isempty(get(ENV, "SNOOPI_LIBDIR", "")) &&
        Libdl.dlopen(name, Libdl.RTLD_LAZY; throw_error = false) !== nothing && return
    error("Snoopi: $name was not found in ", join(folders(), ", "),
        "; build snoopi there, or set SNOOPI_LIBDIR to the folder that has it")
end

load_library() = load(libsnoopi)

# Starts the agent, unless the process is recorded already. The collection is when it sets its hook: all other threads wait then.
function start()
    load(libsnoopi)
    load(libagent)
    isempty(session.folder) && (session.folder = mktempdir(; prefix = "snoopi-"))
    reason = zeros(UInt8, 256)
    is_started() = ccall((:snoopi_agent_start, libagent), Cint, (Cstring, Ptr{UInt8}, Csize_t), session.folder, reason, sizeof(reason))
    status = is_started()
    if status == 0
        GC.gc(false)
        status = is_started()
    end
    status == 0 && error("Snoopi: the hook on the compiler can't be set while garbage collection is off")
    status < 0 && error("Snoopi: this session can't be recorded: ", unsafe_string(pointer(reason)))
    precompile(end_window, (Window,))
end

# The session is started when it is asked for first, or again if that failed.
function prepare()
    lock(session.lock)
    try
        session.is_ready || start()
        session.is_ready = true
    finally
        unlock(session.lock)
    end
    return
end

# `quoted` is not looked at: see the macro.
function begin_window(@nospecialize quoted)
    prepare()
    number = session.number += 1
    label = string("@snoopi_deep ", number)
    window = Window(number, string(label, " end"), 0, 0, nothing)
    # From here on all is recorded.
    window.begin_ns = ccall((:snoopi_agent_window_begin, libagent), UInt64, (Cstring,), label)
    window.begin_ns == 0 && error("Snoopi: this process is not recorded any more: it was forked, or the agent met trouble")
    return window
end

function end_window(window::Window)
    window.end_ns = ccall((:snoopi_agent_window_end, libagent), UInt64, (Cstring,), window.end_label)
    session.last = window
    return
end

# What follows is the tool's own: it is no part of any other window that is open. The task must not switch until it is over.
begin_own() = ccall((:snoopi_agent_own, libagent), Cvoid, (Cint,), 1)
end_own() = ccall((:snoopi_agent_own, libagent), Cvoid, (Cint,), 0)

segment() = unsafe_string(ccall((:snoopi_agent_segment, libagent), Cstring, ()))

# The live MethodInstance that the segment knows by `id`, or nothing.
function instance(id::UInt32)
    pointer = ccall((:snoopi_agent_instance, libagent), Ptr{Cvoid}, (UInt32,), id)
    return pointer == C_NULL ? nothing : unsafe_pointer_to_objref(pointer)::Core.MethodInstance
end

end
