# SPDX-License-Identifier: MIT
#
# An interpreter of a package's own (from Julia 1.6 on): the compiler's rules, in a type of its own. Its copy of the compiler is compiled while the program
# runs, so what it infers, own(::Int64), is not recorded, and the trace says so. The compiler's own inference of mine(::Float64) is there.
if isdefined(Core.Compiler, :AbstractInterpreter)
    Core.eval(Main, quote
        const CC = Core.Compiler
        struct OwnInterpreter <: CC.AbstractInterpreter
            native::CC.NativeInterpreter
            cache::Vector{CC.InferenceResult}
        end
        OwnInterpreter() = OwnInterpreter(CC.NativeInterpreter(), CC.InferenceResult[])
        CC.InferenceParams(i::OwnInterpreter) = CC.InferenceParams(i.native)
        CC.OptimizationParams(i::OwnInterpreter) = CC.OptimizationParams(i.native)
        CC.get_inference_cache(i::OwnInterpreter) = i.cache
        if isdefined(CC, :get_inference_world)
            CC.get_inference_world(i::OwnInterpreter) = CC.get_inference_world(i.native)
            CC.cache_owner(i::OwnInterpreter) = :own
        else
            CC.get_world_counter(i::OwnInterpreter) = CC.get_world_counter(i.native)
            CC.code_cache(i::OwnInterpreter) = CC.WorldView(CC.code_cache(i.native), CC.get_world_counter(i))
        end
        if VERSION < v"1.8-" # later the compiler has these for all
            CC.lock_mi_inference(::OwnInterpreter, ::Core.MethodInstance) = nothing
            CC.unlock_mi_inference(::OwnInterpreter, ::Core.MethodInstance) = nothing
            CC.add_remark!(::OwnInterpreter, ::CC.InferenceState, remark) = nothing
            CC.may_optimize(::OwnInterpreter) = true
            CC.may_compress(::OwnInterpreter) = true
            CC.may_discard_trees(::OwnInterpreter) = true
            isdefined(CC, :verbose_stmt_info) && (CC.verbose_stmt_info(::OwnInterpreter) = false)
        end
        own(x) = x + 1
        println("own ", code_typed(own, (Int,); interp = OwnInterpreter())[1][2])
    end)
else
    println("none")
end
mine(x) = x + 1
mine(2.0)
