// SPDX-License-Identifier: MIT
// Sums inference up by package, once a toplevel line has been reached: what a program's own work costs, without what was loaded
// before it.
//
//   03_sum_by_package FILE [LINE]      LINE as in runtests.jl:12
#include <stdio.h>

#include <snoopi/aggregate.h>

int main(int argc, char **argv)
{
    snoopi_trace *trace = NULL;
    snoopi_aggregate *sums = NULL;
    snoopi_error err;

    if (argc < 2 || argc > 3) {
        fprintf(stderr, "usage: %s FILE [LINE]\n", argv[0]);
        return 2;
    }
    snoopi_aggregate_options options = SNOOPI_AGGREGATE_INIT;
    options.by = SNOOPI_BY_PACKAGE;
    options.limit = 10;
    options.scope.after = argc == 3 ? argv[2] : NULL;

    int status = snoopi_trace_open(&trace, argv[1], &err);
    if (status == SNOOPI_OK) {
        status = snoopi_aggregate_new(&sums, trace, &options, &err);
    }
    if (status < 0) {
        fprintf(stderr, "%s\n", err.text);
    } else {
        const double all = (double)snoopi_aggregate_totals(sums)->inference_ns;
        for (size_t i = 0; i < snoopi_aggregate_n_rows(sums); i++) {
            const snoopi_row *row = snoopi_aggregate_row(sums, i);
            printf("%5.1f %% %s\n", 100 * (double)row->self_ns / all, row->name);
        }
    }
    snoopi_aggregate_free(sums); // before the trace, which owns the text of its rows
    snoopi_trace_close(trace);
    return status < 0;
}
