// SPDX-License-Identifier: MIT
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "say.h"
#include "summary.h"
#include "text.h"

typedef struct {
    void (*tell)(void *payload, const char *sentence);
    void *payload;
    unsigned most; // 0: all
    unsigned n;
} teller;

__attribute__((format(printf, 2, 3))) static void tell(teller *t, const char *format, ...)
{
    char *sentence = NULL;
    va_list list;
    if (t->n++ >= t->most && t->most > 0) {
        return;
    }
    va_start(list, format);
    if (vasprintf(&sentence, format, list) >= 0) {
        t->tell(t->payload, sentence);
        free(sentence);
    }
    va_end(list);
}

static void tell_process(teller *t, const snoopi_process *p)
{
    char count[CLI_TEXT_SIZE];
    char name[96];
    (void)snprintf(name, sizeof name, "process %u (%s, pid %u)", (unsigned)p->index,
                   *p->role ? p->role : "julia", (unsigned)p->pid);

    if (p->hook == SNOOPI_HOOK_NONE) {
        tell(t, "%s: not recorded: %s", name, *p->reason ? p->reason : "the hook was not set");
    } else if (*p->reason) {
        tell(t, "%s: %s", name, p->reason);
    }
    if (p->hook == SNOOPI_HOOK_OVERRIDE) {
        tell(t,
             "%s: --hook=override redefined its compiler, which ran and compiled Julia code in it",
             name);
    }
    if (strcmp(p->compile_mode, "no") == 0 || strcmp(p->compile_mode, "min") == 0) {
        tell(t, "%s: inference was off: julia ran with --compile=%s", name, p->compile_mode);
    }
    if (p->compiler_replaced) {
        tell(t, "%s: its compiler was replaced while it ran; frames after that may be missing",
             name);
    }
    if (p->dropped_frames > 0) {
        tell(t, "%s: %s could not be written", name,
             cli_text_counted(count, p->dropped_frames, "frame"));
    }
    if (p->dropped_records > 0) {
        tell(t, "%s: %s could not be written", name,
             cli_text_counted(count, p->dropped_records, "record"));
    }
    if (*p->damage) {
        tell(t, "%s: %s", name, p->damage);
    }
    const bool is_told =
        *p->damage || *p->reason || p->dropped_frames > 0 || p->dropped_records > 0;
    if (!p->is_complete && p->hook != SNOOPI_HOOK_NONE && !is_told) {
        if (p->exit_kind == SNOOPI_EXIT_SIGNAL) {
            tell(
                t,
                "%s: cut by signal %d (%s); what had ended is here, frames that were open are marked unfinished",
                name, p->exit_value, strsignal(p->exit_value));
        } else {
            tell(
                t,
                "%s: cut: it was killed, or is still running; what had ended is here, frames that were open are marked unfinished",
                name);
        }
    }
}

unsigned cli_summary_lacks(const snoopi_trace *trace, unsigned most,
                           void (*told)(void *payload, const char *sentence), void *payload)
{
    teller t = {told, payload, most, 0};
    const snoopi_recording *const recording = snoopi_trace_recording(trace);
    const char *const damage = snoopi_trace_damage(trace);

    if (damage) {
        tell(&t, "the file is damaged: %s", damage);
    }
    if (*recording->note) {
        tell(&t, "%s", recording->note);
    }
    const uint32_t n = snoopi_trace_n_processes(trace);
    for (uint32_t i = 0; i < n; i++) {
        tell_process(&t, snoopi_trace_process(trace, i));
    }
    if (most > 0 && t.n > most) {
        char text[80];
        (void)snprintf(text, sizeof text, "… and %u more; snoopi info tells them all", t.n - most);
        told(payload, text);
    }
    return t.n;
}

static void say_sentence(void *payload, const char *sentence)
{
    (void)payload;
    cli_say("%s", sentence);
}

void cli_summary_print(const char *file, uint64_t elapsed_ns, const snoopi_pack_result *result)
{
    char frames[CLI_TEXT_SIZE];
    char inference[CLI_TEXT_SIZE];
    char wall[CLI_TEXT_SIZE];
    char share[CLI_TEXT_SIZE];
    char size[CLI_TEXT_SIZE];
    const uint64_t whole = result->wall_ns ? result->wall_ns : elapsed_ns;

    cli_say("%u julia process%s, %s, inference %s of %s (%s), %s in %s",
            (unsigned)result->processes, result->processes == 1 ? "" : "es",
            cli_text_counted(frames, result->frames, "frame"),
            cli_text_time(inference, result->inference_ns), cli_text_time(wall, whole),
            cli_text_share(share, result->inference_ns, whole),
            cli_text_size(size, result->file_bytes), file);

    snoopi_trace *trace = NULL;
    snoopi_error err = {0};
    if (snoopi_trace_open(&trace, file, &err) == SNOOPI_OK) {
        (void)cli_summary_lacks(trace, CLI_LACKS_MOST, say_sentence, NULL);
    } else {
        cli_say("%s", err.text);
    }
    snoopi_trace_close(trace);
}

void cli_summary_no_julia(const char *file, const char *command)
{
    struct stat s;
    cli_say("no julia process was seen%s%s, so there is nothing to save", command ? " in " : "",
            command ? command : "");
    cli_say(
        "that can be because the command runs none, or ends before julia starts (--version), or clears its "
        "environment (sudo, env -i), or runs julia setuid, through a static launcher, in a container, or with "
        "another libc");
    if (stat(file, &s) == 0) {
        cli_say("%s is of an earlier recording", file);
    }
}
