// SPDX-License-Identifier: MIT
// Walks over the frames in the order of time and prints those that were inferred again: the same instance with the same
// arguments, twice in one process. Frames are read as the walk goes, so the size of the file does not matter.
//
//   02_walk_frames FILE
#include <inttypes.h>
#include <stdio.h>

#include <snoopi/trace.h>

int main(int argc, char **argv)
{
    snoopi_trace *trace = NULL;
    snoopi_walk *walk = NULL;
    snoopi_frame frame;
    snoopi_error err;

    if (argc != 2) {
        fprintf(stderr, "usage: %s FILE\n", argv[0]);
        return 2;
    }
    int status = snoopi_trace_open(&trace, argv[1], &err);
    if (status == SNOOPI_OK) {
        status = snoopi_walk_open(&walk, trace, -1, &err); // -1: of all processes
    }
    while (status >= 0 && (status = snoopi_walk_next(walk, &frame, &err)) == 1) {
        if (frame.flags & SNOOPI_FRAME_REPEATED) {
            // Names are made on first use and belong to the trace.
            const snoopi_instance *instance = snoopi_trace_instance(trace, frame.instance);
            printf("%*s%s at %s:%d, %" PRIu64 " ns\n", 2 * (int)frame.depth, "",
                   instance ? instance->name : "?", instance ? instance->file : "?",
                   instance ? (int)instance->line : 0, frame.total_ns);
        }
    }
    if (status < 0) {
        fprintf(stderr, "%s\n", err.text);
    }
    snoopi_walk_close(walk); // NULL is fine for both
    snoopi_trace_close(trace);
    return status < 0;
}
