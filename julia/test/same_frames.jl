# SPDX-License-Identifier: MIT
# Prints the frames of a block, with their depths.
using Snoopi

struct Point
    x::Float64
    y::Float64
end
far(p::Point) = sqrt(p.x^2 + p.y^2)
farthest(points) = maximum(map(far, points))

function show_frames(node, depth)
    depth < 0 || println(depth, ' ', replace(node.name, r"(?<=[(, ])[^(){}, ]+::" => "::")) # without constants
    foreach(child -> show_frames(child, depth + 1), node.children)
end

Snoopi.Recorder.prepare()
tinf = @snoopi_deep begin
    farthest([Point(1, 2), Point(3, 4)])
    string(Point(1, 2), ':', 0x1)
end
show_frames(tinf, -1)
