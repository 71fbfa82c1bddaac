# SPDX-License-Identifier: MIT
# Writes definitions as a segment, after docs/format.md alone: what the agent does in C without Julia's help, done here by
# reflection. Runs on Julia 1.5 to 1.12.

module GraphWriter

export Graph, instance!, node!, value_node!, write_segment

const TAG = (string = 1, mod = 2, file = 3, typename = 4, node = 5, method = 6, instance = 7)
const FORM = (datatype = 1, unionall = 2, union = 3, typevar = 4, bottom = 5, vararg = 6, bits = 7, symbol = 8, text = 9,
              struct_ = 10, singleton = 11, opaque = 12, mod = 13, cut = 15, const_type = 16, enum = 17, alias = 18)

"Definitions written so far. `fresh` is the empty module that names are shown in."
struct Graph
    fresh::Module
    records::IOBuffer
    last_id::Vector{Int}
    strings::Dict{String,Int}
    modules::IdDict{Module,Int}
    files::Dict{String,Int}
    typenames::IdDict{Core.TypeName,Int}
    types::Dict{Ptr{Cvoid},Int}     # by address, as the agent does
    kept::Vector{Any}               # so that no address is used twice
    methods::IdDict{Method,Int}
    instances::IdDict{Core.MethodInstance,Int}
end

Graph(fresh) = Graph(fresh, IOBuffer(), zeros(Int, 7), Dict(), IdDict(), Dict(), IdDict(), Dict(), [], IdDict(), IdDict())

# --- encoding ---

function varint(io, n::Integer)
    u = n % UInt64
    while u >= 0x80
        write(io, (u & 0x7f) % UInt8 | 0x80)
        u >>= 7
    end
    write(io, u % UInt8)
end

svarint(io, n::Integer) = varint(io, reinterpret(UInt64, (Int64(n) << 1) ⊻ (Int64(n) >> 63)))

function record(io, tag, payload)
    varint(io, tag)
    varint(io, length(payload))
    write(io, payload)
end

function define!(fields, g::Graph, tag)
    id = g.last_id[tag] += 1
    io = IOBuffer()
    varint(io, id)
    fields(io)
    record(g.records, tag, take!(io))
    id
end

numbers!(g, tag, ns...) = define!(io -> foreach(n -> varint(io, n), ns), g, tag)

# --- definitions ---

string!(g::Graph, s::AbstractString) = get!(() -> define!(io -> write(io, s), g, TAG.string), g.strings, String(s))
string!(g::Graph, s::Symbol) = string!(g, String(s))

function module!(g::Graph, m::Module)
    get!(g.modules, m) do
        parent = parentmodule(m)
        # The compiler is Base's from 1.12 on. It is shown as a package is, but modules of it are not.
        compiler = VERSION >= v"1.12-" ? Core.Compiler : nothing
        is_root = m === Main || m === Base || m === Core || parent === m || m === compiler
        parent_id = is_root ? 0 : parent === compiler ? numbers!(g, TAG.mod, string!(g, nameof(parent)), module!(g, Base), 0) :
                    module!(g, parent)
        numbers!(g, TAG.mod, string!(g, nameof(m)), parent_id, m === Main ? 1 : 0)
    end
end

file!(g::Graph, name) = get!(() -> numbers!(g, TAG.file, string!(g, name), 0), g.files, name)

# Base.is_exported_from_stdlib, which 1.11 has no more.
function is_exported_by_root(name, mod)
    isdefined(mod, name) || return false
    root = mod
    while !(root === Base || root === Core)
        parentmodule(root) === root && return false
        root = parentmodule(root)
    end
    Base.isexported(root, name) && !Base.isdeprecated(root, name) && getfield(root, name) === getfield(mod, name)
end

# What the functions of a type are called: from 1.12 on types have no tables of methods of their own.
function function_name(tn::Core.TypeName)
    :singletonname in fieldnames(Core.TypeName) && return isdefined(tn, :singletonname) ? tn.singletonname : nothing
    isdefined(tn, :mt) ? tn.mt.name : nothing
end

function typename!(g::Graph, tn::Core.TypeName)
    get!(g.typenames, tn) do
        flags = 0
        name = tn.name
        mod = isdefined(tn, :module) ? tn.module : nothing
        table = function_name(tn)
        wrapper = tn.wrapper
        body = Base.unwrap_unionall(wrapper)
        if mod !== nothing
            Base.isvisible(name, mod, g.fresh) && (flags |= 1)
            if table !== nothing
                if Base.isvisible(table, mod, g.fresh)
                    flags |= 2
                    is_exported_by_root(table, mod) || (flags |= 1024)
                end
                Base.isexported(mod, table) && (flags |= 2048)
                if Base.isbindingresolved(mod, table) && isdefined(mod, table) && typeof(getfield(mod, table)) === wrapper &&
                   wrapper !== DataType # which is of its own type, and no function for that
                    flags |= 4
                end
            end
        end
        isconcretetype(wrapper) && (flags |= 8)
        body <: Function && (flags |= 16)
        tn === Tuple.name && (flags |= 32)
        tn === Type.body.name && (flags |= 64)
        Vararg isa Type && tn === Base.unwrap_unionall(Vararg).name && (flags |= 128)
        tn === UnionAll.name && (flags |= 256)
        tn === Base.unwrap_unionall(NamedTuple).name && (flags |= 512)
        super = body isa DataType && body !== Any ? supertype(body) : Any
        super_id = super === Any ? 0 : typename!(g, super.name)
        numbers!(g, TAG.typename, string!(g, name), mod === nothing ? 0 : module!(g, mod),
                 table === nothing ? 0 : string!(g, table), flags, super_id)
    end
end

address(@nospecialize(x)) = ccall(:jl_value_ptr, Ptr{Cvoid}, (Any,), x)

is_vararg(@nospecialize(x)) = isdefined(Core, :TypeofVararg) && x isa Core.TypeofVararg
is_type(@nospecialize(x)) = x isa DataType || x isa UnionAll || x isa Union || x === Union{} || x isa TypeVar || is_vararg(x)

# A part of a type, or a value that is a parameter of one.
function node!(g::Graph, @nospecialize(x))
    is_type(x) || return value_node!(g, x)
    key = address(x)
    id = get(g.types, key, 0)
    if id == 0
        id = write_type(g, x)
        g.types[key] = id
        push!(g.kept, x)
    end
    id
end

# What the TypeName at the core was declared as, with the very variables: === would do with others of their names and bounds.
function is_wrapper(x)
    core = Base.unwrap_unionall(x)
    declared = core isa DataType ? core.name.wrapper : nothing
    while x isa UnionAll && declared isa UnionAll
        x.var === declared.var || return false
        x, declared = x.body, declared.body
    end
    x === declared
end

function write_type(g::Graph, @nospecialize(x))
    if x === Union{}
        numbers!(g, TAG.node, FORM.bottom)
    elseif x isa TypeVar
        lower, upper = node!(g, x.lb), node!(g, x.ub)
        numbers!(g, TAG.node, FORM.typevar, string!(g, x.name), lower, upper)
    elseif is_vararg(x)
        element = isdefined(x, :T) ? node!(g, x.T) : 0
        count = isdefined(x, :N) ? node!(g, x.N) : 0
        numbers!(g, TAG.node, FORM.vararg, element, count)
    elseif x isa Union
        a, b = node!(g, x.a), node!(g, x.b)
        numbers!(g, TAG.node, FORM.union, a, b)
    elseif x isa UnionAll
        var, body = node!(g, x.var), node!(g, x.body)
        numbers!(g, TAG.node, FORM.unionall, is_wrapper(x) ? 1 : 0, var, body)
    else
        kids = Any[node!(g, x.parameters[i]) for i in 1:length(x.parameters)]
        flags = (x.name.wrapper === x ? 1 : 0) | (isdefined(x, :instance) ? 2 : 0)
        numbers!(g, TAG.node, FORM.datatype, typename!(g, x.name), flags, length(kids), kids...)
    end
end

is_mutable(T) = VERSION >= v"1.7" ? Base.ismutabletype(T) : T.mutable

raw_bytes(x::T) where {T} = (r = Ref{T}(x); GC.@preserve r [unsafe_load(Ptr{UInt8}(pointer_from_objref(r)), i) for i in 1:sizeof(T)])

# A value: where one is a parameter of a type, a field, or an argument.
function value_node!(g::Graph, @nospecialize(x))
    T = typeof(x)
    if is_type(x)
        numbers!(g, TAG.node, FORM.const_type, node!(g, x))
    elseif x isa Symbol
        numbers!(g, TAG.node, FORM.symbol, string!(g, x))
    elseif x isa Module
        numbers!(g, TAG.node, FORM.mod, module!(g, x))
    elseif x isa String
        numbers!(g, TAG.node, FORM.text, string!(g, x), sizeof(x))
    elseif isdefined(T, :instance) && fieldcount(T) == 0
        numbers!(g, TAG.node, FORM.singleton, node!(g, T))
    elseif x isa Base.Enum
        visible = Base.isvisible(Symbol(x), T.name.module, g.fresh)
        numbers!(g, TAG.node, FORM.enum, node!(g, T), string!(g, Symbol(x)), visible ? 1 : 0)
    elseif x isa Core.IntrinsicFunction
        numbers!(g, TAG.node, FORM.enum, node!(g, T), string!(g, nameof(x)), 0)
    elseif isprimitivetype(T)
        type = node!(g, T)
        define!(g, TAG.node) do io
            varint(io, FORM.bits)
            varint(io, type)
            write(io, raw_bytes(x))
        end
    elseif !is_mutable(T) && all(i -> isdefined(x, i), 1:nfields(x))
        type = node!(g, T)
        kids = Any[value_node!(g, getfield(x, i)) for i in 1:nfields(x)]
        numbers!(g, TAG.node, FORM.struct_, type, length(kids), kids...)
    else
        numbers!(g, TAG.node, FORM.opaque, node!(g, T))
    end
end

function method!(g::Graph, m::Method)
    get!(g.methods, m) do
        name, mod, file, sig = string!(g, m.name), module!(g, m.module), file!(g, String(m.file)), node!(g, m.sig)
        define!(g, TAG.method) do io
            foreach(n -> varint(io, n), (name, mod, file))
            svarint(io, m.line)
            varint(io, m.primary_world)
            varint(io, (m.isva ? 1 : 0) | (isdefined(m, :generator) ? 2 : 0))
            varint(io, m.nargs)
            varint(io, sig)
        end
    end
end

function instance!(g::Graph, mi::Core.MethodInstance)
    get!(g.instances, mi) do
        if mi.def isa Method
            numbers!(g, TAG.instance, 1, method!(g, mi.def), node!(g, mi.specTypes))
        else
            numbers!(g, TAG.instance, 2, module!(g, mi.def), 0, 0)
        end
    end
end

# --- what types of 1.6 and later are shown by ---

# A constant that is a type and not just another name of one: `Vector`, but not `Int`.
function is_alias(m, name)
    isdefined(m, name) && !Base.isdeprecated(m, name) && isconst(m, name) || return false
    x = getfield(m, name)
    x isa Type && !Base.print_without_params(x) && !Base.has_free_typevars(x)
end

# What show goes through. Julia 1.6 to 1.8 have them in order only.
exported_names(m) = VERSION < v"1.9-" ? names(m) : Base.unsorted_names(m)

function alias!(g::Graph, m, name)
    node = node!(g, getfield(m, name))
    visible = Base.isvisible(name, m, g.fresh)
    numbers!(g, TAG.node, FORM.alias, node, string!(g, name), module!(g, m), visible ? 1 : 0)
end

"Aliases of the modules that types are of, and the wrappers of types with parameters."
function finish!(g::Graph)
    VERSION < v"1.6" && return
    modules_done = Set{Module}()
    names_done = Set{Core.TypeName}()
    while length(names_done) < length(g.typenames)
        for tn in collect(keys(g.typenames))
            tn in names_done && continue
            push!(names_done, tn)
            tn.wrapper isa UnionAll && node!(g, tn.wrapper)
            for m in (tn.module === Core ? (Core, Base) : (tn.module,))
                m in modules_done && continue
                push!(modules_done, m)
                foreach(name -> is_alias(m, name) && alias!(g, m, name), exported_names(m))
            end
        end
    end
end

# --- the file ---

function write_segment(path, g::Graph)
    finish!(g)
    used = g.records.size
    size = (64 + used + 4095) ÷ 4096 * 4096
    open(path, "w") do io
        header = IOBuffer()
        write(header, "SNPISEG1", htol(UInt32(1)), htol(UInt32(4)))
        write(io, take!(header), zeros(UInt8, 4096 - 16))
        chunk = IOBuffer()
        write(chunk, "CHNK", htol(UInt32(size)), htol(UInt32(0)), htol(UInt32(0)), htol(UInt64(used)))
        bytes = take!(chunk)
        write(io, bytes, zeros(UInt8, 64 - length(bytes)))
        write(io, take!(copy(g.records)), zeros(UInt8, size - 64 - used))
    end
end

end
