// SPDX-License-Identifier: MIT
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <snoopi/pack.h>

#include "global.h"
#include "progress.h"
#include "say.h"
#include "text.h"
#include "view.h"

const cli_option cli_scope_options[] = {
    {"process", 0, CLI_OPT_TEXT, "P", "processes, by index (0) or role (main, 'precompile:*')",
     offsetof(cli_scope_args, process), NULL},
    {"from", 0, CLI_OPT_TIME, "TIME",
     "roots that began at or after TIME, since the first process began (as in 1.5s)",
     offsetof(cli_scope_args, from_ns), NULL},
    {"to", 0, CLI_OPT_TIME, "TIME", "roots that began before TIME", offsetof(cli_scope_args, to_ns),
     NULL},
    {"after", 0, CLI_OPT_TEXT, "PLACE",
     "from the first root of a toplevel line on: FILE or FILE:LINE",
     offsetof(cli_scope_args, after), NULL},
    {"mark", 0, CLI_OPT_TEXT, "NAME", "from the mark that the program set on",
     offsetof(cli_scope_args, mark), NULL},
    {0}};

const cli_option cli_filter_options[] = {
    {"module", 0, CLI_OPT_TEXT, "M", "frames of a module, as in Base.Iterators or 'Base*'",
     offsetof(snoopi_filter, module), NULL},
    {"package", 0, CLI_OPT_TEXT, "P", "frames of a package: a module and all in it",
     offsetof(snoopi_filter, package), NULL},
    {"file", 0, CLI_OPT_TEXT, "F", "frames of a file, by its whole path or the end of it",
     offsetof(snoopi_filter, file), NULL},
    {0}};

const cli_option cli_rows_options[] = {
    {"format", 0, CLI_OPT_CHOICE, "HOW", "how rows are printed (table)",
     offsetof(cli_rows_args, format), cli_format_word},
    {"sort", 0, CLI_OPT_CHOICE, "KEY", "order of rows (self)", offsetof(cli_rows_args, sort),
     snoopi_sort_name},
    {"tmin", 0, CLI_OPT_TIME, "TIME", "rows whose sort key is at least TIME",
     offsetof(cli_rows_args, tmin_ns), NULL},
    {"limit", 0, CLI_OPT_NUMBER, "N", "at most N rows; 0: all (table: 30, others: all)",
     offsetof(cli_rows_args, limit), NULL},
    {0}};

snoopi_scope cli_scope(const cli_scope_args *args)
{
    snoopi_scope scope = SNOOPI_SCOPE_ALL;
    scope.process = args->process;
    scope.from_ns = args->from_ns;
    scope.to_ns = args->to_ns;
    scope.after = args->after;
    scope.mark = args->mark;
    scope.progress = cli_progress;
    return scope;
}

uint64_t cli_limit(const cli_rows_args *args)
{
    if (args->limit != CLI_LIMIT_NONE) {
        return args->limit;
    }
    return args->format == CLI_FORMAT_TABLE ? CLI_TABLE_LIMIT : 0;
}

// Whether FILE.1 is there, as of record --repeat; then it was said.
static bool say_repeated(const char *path)
{
    char *first = NULL;
    struct stat s;
    if (asprintf(&first, "%s.1", path) < 0) {
        return false;
    }
    const bool is_repeated = stat(first, &s) == 0 && S_ISREG(s.st_mode);
    if (is_repeated) {
        (void)cli_fail("%s: no such file, but %s is, of a recording that was repeated; name that",
                       path, first);
    }
    free(first);
    return is_repeated;
}

// What a recording that was killed left is easily taken for the recording.
static void say_missing(const char *path)
{
    char *parts = NULL;
    struct stat s;
    if (say_repeated(path)) {
        return;
    }
    if (asprintf(&parts, "%s.parts", path) < 0) {
        return;
    }
    if (stat(parts, &s) == 0 && S_ISDIR(s.st_mode)) {
        (void)cli_fail(
            "%s: no such file, but %s is there: it is being recorded, or was not finished; to save it: snoopi recover %s",
            path, parts, parts);
    } else {
        (void)cli_fail("%s: no such file; snoopi record COMMAND makes one", path);
    }
    free(parts);
}

static snoopi_trace *open_folder(const char *folder)
{
    const char *const temporary = getenv("TMPDIR");
    snoopi_trace *trace = NULL;
    snoopi_error err = {0};
    char *path = NULL;
    if (asprintf(&path, "%s/snoopi-XXXXXX", temporary && *temporary ? temporary : "/tmp") < 0) {
        return NULL;
    }
    char *file = NULL;
    if (!mkdtemp(path) || asprintf(&file, "%s/trace", path) < 0) {
        (void)cli_fail("%s: %s", path, strerror(errno));
        free(path);
        return NULL;
    }
    if (snoopi_pack(folder, file, NULL, NULL, &err) < 0 ||
        snoopi_trace_open(&trace, file, &err) < 0) {
        (void)cli_fail("%s", err.text);
    }
    (void)unlink(file);
    (void)rmdir(path);
    free(file);
    free(path);
    return trace;
}

snoopi_trace *cli_trace_open(int n_operands, char **operands)
{
    const char *const path = n_operands > 0 ? operands[0] : CLI_DEFAULT_FILE;
    snoopi_trace *trace = NULL;
    snoopi_error err = {0};
    struct stat s;

    if (stat(path, &s) != 0 && errno == ENOENT) {
        say_missing(path);
        return NULL;
    }
    if (S_ISDIR(s.st_mode)) {
        return open_folder(path);
    }
    if (snoopi_trace_open(&trace, path, &err) < 0) {
        (void)cli_fail("%s", err.text);
    }
    return trace;
}

void cli_trace_warn(const snoopi_trace *trace)
{
    const char *const damage = snoopi_trace_damage(trace);
    cli_progress_end();
    if (damage) {
        cli_say("this is not the whole recording: %s", damage);
    }
}

void cli_totals_print(const snoopi_totals *totals, const snoopi_totals *scope)
{
    char inference[CLI_TEXT_SIZE];
    char wall[CLI_TEXT_SIZE];
    char share[CLI_TEXT_SIZE];
    char frames[CLI_TEXT_SIZE];
    char instances[CLI_TEXT_SIZE];
    (void)printf("recording: inference %s of %s (%s), %s of %s\n",
                 cli_text_time(inference, totals->inference_ns),
                 cli_text_time(wall, totals->wall_ns),
                 cli_text_share(share, totals->inference_ns, totals->wall_ns),
                 cli_text_counted(frames, totals->frames, "frame"),
                 cli_text_counted(instances, totals->instances, "instance"));
    if (scope && scope->frames != totals->frames) {
        (void)printf("this part: inference %s (%s), %s of %s\n",
                     cli_text_time(inference, scope->inference_ns),
                     cli_text_share(share, scope->inference_ns, totals->inference_ns),
                     cli_text_counted(frames, scope->frames, "frame"),
                     cli_text_counted(instances, scope->instances, "instance"));
    }
}

char *cli_place(const char *file, int32_t line)
{
    static const char of_julia[] = "/share/julia/";
    static const char of_stdlib[] = "stdlib/v";
    char *place = NULL;
    if (!file || !*file) {
        return strdup("");
    }
    const char *shown = strstr(file, of_julia);
    shown = shown ? shown + sizeof of_julia - 1 : file;
    if (shown != file && strncmp(shown, of_stdlib, sizeof of_stdlib - 1) == 0) {
        const char *const slash = strchr(shown + sizeof of_stdlib - 1, '/'); // behind the version
        shown = slash ? slash + 1 : shown;
    }
    if ((line > 0 ? asprintf(&place, "%s:%d", shown, (int)line) : asprintf(&place, "%s", shown)) <
        0) {
        return NULL;
    }
    return place;
}

// The word of the lowest bit in *flags, which is then cleared; bits without a word are passed over. NULL: no more.
static const char *next_flag(uint32_t *flags)
{
    while (*flags != 0) {
        const uint32_t bit = *flags & (0 - *flags);
        *flags &= ~bit;
        if (snoopi_flag_name(bit)) {
            return snoopi_flag_name(bit);
        }
    }
    return NULL;
}

char *cli_flags_text(char text[CLI_FLAGS_SIZE], uint32_t flags)
{
    size_t used = 0;
    text[0] = '\0';
    for (const char *word = next_flag(&flags); word && used < CLI_FLAGS_SIZE;
         word = next_flag(&flags)) {
        used +=
            (size_t)snprintf(text + used, CLI_FLAGS_SIZE - used, "%s%s", used > 0 ? " " : "", word);
    }
    return text;
}

void cli_flags_json(snoopi_json *json, const void *flags)
{
    uint32_t left = *(const uint32_t *)flags;
    snoopi_json_begin_array(json);
    for (const char *word = next_flag(&left); word; word = next_flag(&left)) {
        snoopi_json_string(json, word);
    }
    snoopi_json_end_array(json);
}
