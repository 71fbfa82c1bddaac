// SPDX-License-Identifier: MIT
#include "progress.h"

#include <stdbool.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "text.h"

enum { PATIENCE_NS = 500000000, STEP_NS = 100000000 };

static struct {
    uint64_t begin_ns; // of the first call; 0: there was none
    uint64_t last_ns;  // when the line was written last
    bool is_shown;
} state;

static uint64_t now_ns(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

void cli_progress(void *payload, uint64_t done, uint64_t frames)
{
    char count[CLI_TEXT_SIZE];
    char share[CLI_TEXT_SIZE];
    const uint64_t now = now_ns();
    (void)payload;

    if (state.begin_ns == 0) {
        state.begin_ns = now;
    }
    if (now - state.begin_ns < PATIENCE_NS || now - state.last_ns < STEP_NS ||
        !isatty(STDERR_FILENO)) {
        return;
    }
    state.last_ns = now;
    state.is_shown = true;
    (void)fprintf(stderr, "\rsnoopi: %s frames, %s\x1b[K", cli_text_count(count, done),
                  cli_text_share(share, done, frames));
    (void)fflush(stderr);
}

void cli_progress_end(void)
{
    if (state.is_shown) {
        (void)fputs("\r\x1b[K", stderr);
        (void)fflush(stderr);
    }
    state.is_shown = false;
    state.begin_ns = 0;
}
