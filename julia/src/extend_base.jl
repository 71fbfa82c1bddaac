# SPDX-License-Identifier: MIT
# Methods that Snoopi adds to functions of Base. Included when the first block has been measured: see extend_base().

Base.show(io::IO, node::InferenceTimingNode) = print_node(io, node)
Base.iterate(node::InferenceTimingNode, state...) = iterate(node.children, state...)
Base.length(node::InferenceTimingNode) = length(node.children)
Base.eltype(::Type{InferenceTimingNode}) = InferenceTimingNode
Base.show(io::IO, trigger::InferenceTrigger) = print_trigger(io, trigger)
Base.show(io::IO, parcel::ModuleParcel) = print_parcel(io, parcel)
Base.show(io::IO, ::MIME"text/plain", advice::Advice) = print_advice(io, advice)
