// SPDX-License-Identifier: MIT
// Opens a recording and says what is in it: the least that a program does with libsnoopi.
//
//   01_open_trace FILE
#include <inttypes.h>
#include <stdio.h>

#include <snoopi/trace.h>

int main(int argc, char **argv)
{
    snoopi_trace *trace = NULL;
    snoopi_error err;

    if (argc != 2) {
        fprintf(stderr, "usage: %s FILE\n", argv[0]);
        return 2;
    }
    // The error says what and where in one line; all text comes from the library.
    if (snoopi_trace_open(&trace, argv[1], &err) < 0) {
        fprintf(stderr, "%s\n", err.text);
        return 1;
    }
    for (uint32_t i = 0; i < snoopi_trace_n_processes(trace); i++) {
        const snoopi_process *process = snoopi_trace_process(trace, i);
        printf("%s: %" PRIu64 " frames, %.3f ms of inference%s\n", process->role, process->frames,
               (double)process->inference_ns / 1e6, process->is_complete ? "" : " (cut)");
    }
    // A file that was cut opens as far as it is whole. Say so, or a part looks like the whole.
    if (snoopi_trace_damage(trace)) {
        printf("not all could be read: %s\n", snoopi_trace_damage(trace));
    }
    snoopi_trace_close(trace);
    return 0;
}
