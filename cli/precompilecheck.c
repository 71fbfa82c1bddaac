// SPDX-License-Identifier: MIT
// See precompilecheck.h, and precompile_check.jl for what the julia does.
#include "precompilecheck.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <snoopi/aggregate.h>

#include "global.h"
#include "say.h"

#define MARK "snoopi precompile --check"

extern const char cli_precompile_check[]; // precompile_check.jl

// The folder that both runs work in.
typedef struct {
    char *path;
    const snoopi_process *program;
    char *julia;
} workplace;

static char *path_in(const workplace *w, const char *name)
{
    char *path = NULL;
    return asprintf(&path, "%s/%s", w->path, name) < 0 ? NULL : path;
}

static FILE *open_in(const workplace *w, const char *name, const char *mode)
{
    char *const path = path_in(w, name);
    FILE *const file = path ? fopen(path, mode) : NULL;
    if (!file) {
        (void)cli_fail("%s: %s", path ? path : name, strerror(errno));
    }
    free(path);
    return file;
}

static void remove_in(const workplace *w, const char *name)
{
    char *const path = path_in(w, name);
    if (path) {
        (void)unlink(path);
    }
    free(path);
}

static void close_workplace(workplace *w)
{
    static const char *const names[] = {"check.jl", "list", "results", "said", "without", "with"};
    for (size_t i = 0; w->path && i < sizeof names / sizeof *names; i++) {
        remove_in(w, names[i]);
    }
    if (w->path) {
        (void)rmdir(w->path);
    }
    free(w->path);
    free(w->julia);
}

// --- what is run ---

static const snoopi_process *find_program(const snoopi_trace *trace)
{
    for (uint32_t i = 0; i < snoopi_trace_n_processes(trace); i++) {
        const snoopi_process *const p = snoopi_trace_process(trace, i);
        if (strcmp(p->role, "main") == 0 && p->argc > 0) {
            return p;
        }
    }
    return NULL;
}

static bool open_workplace(workplace *w, const snoopi_trace *trace)
{
    const char *const folder = getenv("TMPDIR");
    w->program = find_program(trace);
    if (!w->program) {
        (void)cli_fail("--check: the recording has no program to run again");
        return false;
    }
    if (!cli_global.julia && !*w->program->bindir) {
        (void)cli_fail("--check: the recording does not tell its julia; name one with --julia");
        return false;
    }
    const int length = cli_global.julia ? asprintf(&w->julia, "%s", cli_global.julia)
                                        : asprintf(&w->julia, "%s/julia", w->program->bindir);
    w->julia = length < 0 ? NULL : w->julia;
    if (asprintf(&w->path, "%s/snoopi-check-XXXXXX", folder && *folder ? folder : "/tmp") < 0 ||
        !w->julia) {
        w->path = length < 0 ? NULL : w->path;
        (void)cli_fail("out of memory");
        return false;
    }
    if (!mkdtemp(w->path)) {
        (void)cli_fail("%s: %s", w->path, strerror(errno));
        return false;
    }
    return true;
}

static bool write_script(const workplace *w)
{
    FILE *const file = open_in(w, "check.jl", "we");
    if (!file) {
        return false;
    }
    const bool is_written = fputs(cli_precompile_check, file) >= 0;
    return fclose(file) == 0 && is_written;
}

static bool write_list(const workplace *w, const snoopi_precompile *precompile, const char *folder)
{
    char *const whole = realpath(folder, NULL);
    FILE *const file = whole ? open_in(w, "list", "we") : NULL;
    for (size_t i = 0; file && i < snoopi_precompile_n_modules(precompile); i++) {
        const snoopi_precompile_module *const m = snoopi_precompile_module_at(precompile, i);
        (void)fprintf(file, "%s\t%s/%s\n", m->module, whole, m->file);
    }
    free(whole);
    return file && fclose(file) == 0;
}

// snoopi record … julia -L check.jl, and what the program was called with.
static char **make_command(const workplace *w, char *recording, char *script)
{
    static char own[] = "snoopi", record[] = "record", output[] = "-o", alone[] = "--no-children",
                bare[] = "--no-stacks", end[] = "--", load[] = "-L";
    char *const words[] = {own,  record, output,   recording, alone,
                           bare, end,    w->julia, load,      script};
    const size_t n = sizeof words / sizeof *words;
    char **const argv = calloc(n + w->program->argc + 1, sizeof *argv);
    if (!argv) {
        return NULL;
    }
    memcpy(argv, words, sizeof words);
    for (uint32_t i = 1; i < w->program->argc; i++) {
        memcpy(&argv[n + i - 1], &w->program->argv[i], sizeof *argv); // execv() changes nothing
    }
    return argv;
}

__attribute__((noreturn)) static void become(const workplace *w, bool is_run, char **argv, int said)
{
    const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (*w->program->cwd && chdir(w->program->cwd) != 0) {
        (void)dprintf(said, "%s: %s\n", w->program->cwd, strerror(errno));
        _exit(CLI_FAILED);
    }
    (void)dup2(nothing, STDIN_FILENO);
    (void)dup2(nothing, STDOUT_FILENO);
    (void)dup2(said, STDERR_FILENO);
    (void)setenv("SNOOPI_CHECK", w->path, 1);
    (void)setenv("SNOOPI_CHECK_LOADS", is_run ? "0" : "1", 1);
    (void)execv("/proc/self/exe", argv);
    _exit(CLI_FAILED);
}

static bool run(const workplace *w, bool is_run)
{
    char *const recording = path_in(w, is_run ? "with" : "without");
    char *const script = path_in(w, "check.jl");
    char **const argv = recording && script ? make_command(w, recording, script) : NULL;
    FILE *const said = argv ? open_in(w, "said", "we") : NULL;
    pid_t pid = -1;
    if (said) {
        remove_in(w, "results");
        (void)fflush(stdout);
        pid = fork();
    }
    if (pid == 0) {
        become(w, is_run, argv, fileno(said));
    }
    int status;
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    if (said) {
        (void)fclose(said);
    }
    free(recording);
    free(script);
    free(argv);
    return pid > 0;
}

// --- what it came to ---

// Says why there are no results: what julia said first.
static int fail_with_words(const workplace *w)
{
    char line[512] = "";
    FILE *const said = open_in(w, "said", "re");
    while (said && fgets(line, sizeof line, said) && strcmp(line, "\n") == 0) {
    }
    if (said) {
        (void)fclose(said);
    }
    line[strcspn(line, "\n")] = '\0';
    return cli_fail("--check: %s did not come to the end of the check: %s", w->julia, line);
}

static bool take_result(cli_check *check, size_t index, char *line)
{
    char *const tab = strchr(line, '\t');
    if (!tab || index >= check->n_results) {
        return false;
    }
    cli_check_result *const result = &check->results[index];
    *tab = '\0';
    result->is_held = strcmp(line, "held") == 0;
    check->n_held += result->is_held;
    result->why = result->is_held ? NULL : strdup(tab + 1);
    return result->is_held || result->why;
}

static int read_results(cli_check *check, const workplace *w)
{
    char *line = NULL;
    size_t capacity = 0;
    size_t n = 0;
    bool is_whole = false;
    FILE *const file = open_in(w, "results", "re");
    if (!file) {
        return fail_with_words(w);
    }
    while (getline(&line, &capacity, file) >= 0) {
        line[strcspn(line, "\n")] = '\0';
        is_whole = strcmp(line, "end") == 0;
        if (!is_whole && !take_result(check, n++, line)) {
            break;
        }
    }
    free(line);
    (void)fclose(file);
    return is_whole && n == check->n_results ? CLI_OK : fail_with_words(w);
}

static int measure(const workplace *w, const char *name, uint64_t *ns, uint64_t *frames)
{
    snoopi_error err = {0};
    snoopi_trace *trace = NULL;
    snoopi_aggregate *sums = NULL;
    snoopi_aggregate_options options = SNOOPI_AGGREGATE_INIT;
    char *const path = path_in(w, name);
    options.by = SNOOPI_BY_PROCESS;
    options.scope.mark = MARK;
    const bool is_read = path && snoopi_trace_open(&trace, path, &err) == 0 &&
                         snoopi_aggregate_new(&sums, trace, &options, &err) == 0;
    if (is_read) {
        *ns = snoopi_aggregate_scope_totals(sums)->inference_ns;
        *frames = snoopi_aggregate_scope_totals(sums)->frames;
    }
    snoopi_aggregate_free(sums);
    snoopi_trace_close(trace);
    free(path);
    return is_read ? CLI_OK : fail_with_words(w);
}

int cli_check_run(cli_check *check, const snoopi_precompile *precompile, const snoopi_trace *trace,
                  const char *folder)
{
    workplace w = {0};
    int status = CLI_FAILED;
    for (size_t i = 0; i < snoopi_precompile_n_modules(precompile); i++) {
        check->n_results += snoopi_precompile_module_at(precompile, i)->n_directives;
    }
    check->results = calloc(check->n_results + 1, sizeof *check->results);
    if (!check->results) {
        return cli_fail("out of memory");
    }
    if (open_workplace(&w, trace) && write_script(&w) && write_list(&w, precompile, folder) &&
        run(&w, false) && run(&w, true)) {
        status = read_results(check, &w);
    }
    if (status == CLI_OK) {
        status = measure(&w, "without", &check->without_ns, &check->without_frames);
    }
    if (status == CLI_OK) {
        status = measure(&w, "with", &check->with_ns, &check->with_frames);
    }
    check->julia = w.julia;
    w.julia = NULL;
    close_workplace(&w);
    return status;
}

void cli_check_clear(cli_check *check)
{
    for (size_t i = 0; check->results && i < check->n_results; i++) {
        free(check->results[i].why);
    }
    free(check->results);
    free(check->julia);
    *check = (cli_check){0};
}
