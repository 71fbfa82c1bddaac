// SPDX-License-Identifier: MIT
// snoopi doctor: can this julia be recorded here? Each check says what it saw, and what to do if that is not enough.
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <snoopi/pack.h>
#include <snoopi/trace.h>

#include "agent_env.h"
#include "cmd.h"
#include "global.h"
#include "parts.h"
#include "say.h"
#include "summary.h"
#include "text.h"

typedef struct {
    cli_recording recording;
} doctor_args;

static const doctor_args defaults = {.recording = {.has_args = true, .has_stacks = true}};

// How the checks went so far.
typedef struct {
    const doctor_args *args;
    bool is_well;
} patient;

__attribute__((format(printf, 3, 4))) static void tell(patient *p, bool is_good, const char *format,
                                                       ...)
{
    char *line = NULL;
    va_list list;
    va_start(list, format);
    if (vasprintf(&line, format, list) >= 0) {
        (void)fputs(is_good ? "ok    " : "FAIL  ", stdout);
        cli_text_put(stdout, line);
        (void)putchar('\n');
        free(line);
    }
    va_end(list);
    p->is_well = p->is_well && is_good;
}

static const char *julia_name(void)
{
    const char *const named = getenv("SNOOPI_JULIA");
    return cli_global.julia ? cli_global.julia : named && *named ? named : "julia";
}

static void check_agent(patient *p, const char *agent)
{
    if (agent) {
        tell(p, true, "agent: %s", agent);
    } else {
        tell(p, false, "agent: libsnoopi-agent.so was not found; SNOOPI_AGENT_PATH can name it");
    }
}

// The first line that `julia --version` prints; false when it does not run.
static bool read_version(const char *julia, char *line, size_t size)
{
    int out[2];
    if (pipe2(out, O_CLOEXEC) != 0) {
        return false;
    }
    const pid_t pid = fork();
    if (pid == 0) {
        (void)dup2(out[1], STDOUT_FILENO);
        (void)execlp(julia, julia, "--version", (char *)NULL);
        _exit(CLI_RUN_NOT_FOUND);
    }
    (void)close(out[1]);
    size_t used = 0;
    ssize_t n = 0;
    while (pid > 0 && used + 1 < size && (n = read(out[0], line + used, size - 1 - used)) > 0) {
        used += (size_t)n;
    }
    (void)close(out[0]);
    line[used] = '\0';
    line[strcspn(line, "\n")] = '\0';
    int status = -1;
    return pid > 0 && waitpid(pid, &status, 0) == pid && status == 0 && used > 0;
}

static bool check_julia(patient *p, const char *julia)
{
    char version[128];
    if (!read_version(julia, version, sizeof version)) {
        tell(p, false, "julia: '%s --version' does not run; --julia PATH names another", julia);
        return false;
    }
    tell(p, true, "julia: %s (%s)", version, julia);
    return true;
}

// What the stub and the decoder were written for, and how far they were tried there.
static void check_machine(patient *p)
{
#if defined(__x86_64__)
    tell(p, true, "machine: amd64");
#elif defined(__aarch64__)
    tell(p, true, "machine: aarch64, where the hook was tried in QEMU alone, with Julia 1.5");
#endif
}

// The hook is written into code, whose pages are read-only: through /proc/self/mem, which goes past the protection of the page.
static void check_code_pages(patient *p)
{
    const size_t size = (size_t)sysconf(_SC_PAGESIZE);
    unsigned char *const page =
        mmap(NULL, size, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED) {
        tell(p, false, "code pages: no page for a try: %s", strerror(errno));
        return;
    }
    const unsigned char byte = 0xC3;
    const int fd = open("/proc/self/mem", O_RDWR | O_CLOEXEC);
    const bool is_written =
        fd >= 0 && pwrite(fd, &byte, 1, (off_t)(uintptr_t)page) == 1 && page[0] == byte;
    const int reason = errno;
    if (fd >= 0) {
        (void)close(fd);
    }
    (void)munmap(page, size);

    if (is_written) {
        tell(p, true, "code pages: can be patched through /proc/self/mem");
    } else {
        tell(
            p, false,
            "code pages: can't be patched through /proc/self/mem (%s); on Julia 1.5, --hook=override gets in without",
            strerror(reason));
    }
}

static void tell_lack(void *payload, const char *sentence)
{
    tell(payload, false, "recording: %s", sentence);
}

static void check_trace(patient *p, const char *file)
{
    snoopi_trace *trace = NULL;
    snoopi_error err = {0};
    char frames[CLI_TEXT_SIZE];
    char start[CLI_TEXT_SIZE];
    if (snoopi_trace_open(&trace, file, &err) < 0) {
        tell(p, false, "recording: %s", err.text);
        return;
    }
    if (cli_summary_lacks(trace, 0, tell_lack, p) == 0) {
        const snoopi_process *const process = snoopi_trace_process(trace, 0);
        tell(p, process->frames > 0, "recording: %s of `julia -e`; the agent took %s to start",
             cli_text_counted(frames, process->frames, "frame"),
             cli_text_time(start, process->agent_start_ns));
        tell(p, true, "hook: %s%s%s", process->hook == SNOOPI_HOOK_NATIVE ? "native" : "override",
             *process->hook_text ? ", in " : "", process->hook_text);
    }
    snoopi_trace_close(trace);
}

static void check_recording(patient *p, const char *julia, const cli_agent *agent,
                            const char *folder)
{
    // Something that is surely not in the system image: a new function, called.
    char program[] = "f(x) = x + 1; f(Ref(1)[])";
    char no_startup[] = "--startup-file=no";
    char option[] = "-e";
    char *const name = strdup(julia);
    char *const file = cli_parts_file(folder);
    char *argv[] = {name, no_startup, option, program, NULL};
    snoopi_error err = {0};
    cli_run run;

    if (!name || !file) {
        tell(p, false, "recording: out of memory");
    } else if (cli_agent_run(&run, argv, agent, &p->args->recording, true, folder) != 0) {
        tell(p, false, "recording: cannot start a process: %s", strerror(errno));
    } else if (cli_run_status(&run) != 0) {
        tell(p, false, "recording: `julia -e` ended with status %d when it was recorded",
             cli_run_status(&run));
    } else if (snoopi_pack(folder, file, NULL, NULL, &err) < 0) {
        tell(
            p, false,
            "recording: julia left nothing: the agent was not loaded (setuid, static launcher, or another libc)");
    } else {
        check_trace(p, file);
    }
    if (file) {
        (void)unlink(file);
    }
    free(file);
    free(name);
}

static void check_in_temporary_folder(patient *p, const char *julia, const cli_agent *agent)
{
    const char *const temporary = getenv("TMPDIR");
    char *folder = NULL;
    cli_parts parts = CLI_PARTS_NONE;
    char *file = NULL;
    if (asprintf(&folder, "%s/snoopi-doctor-XXXXXX", temporary && *temporary ? temporary : "/tmp") <
        0) {
        return;
    }
    if (!mkdtemp(folder) || asprintf(&file, "%s/trace", folder) < 0) {
        tell(p, false, "recording: %s: %s", folder, strerror(errno));
        free(folder);
        return;
    }
    if (cli_parts_create(&parts, file) == 0) {
        check_recording(p, julia, agent, parts.path);
        cli_parts_remove(&parts);
    } else {
        tell(p, false, "recording: no folder for it");
    }
    cli_parts_clear(&parts);
    (void)rmdir(folder);
    free(file);
    free(folder);
}

static int run_doctor(const void *payload, int n_operands, char **operands)
{
    patient p = {.args = payload, .is_well = true};
    (void)n_operands;
    (void)operands;
    const char *const julia = julia_name();
    cli_agent agent;
    const bool has_agent = cli_agent_find(&agent) == 0;
    check_machine(&p);
    check_agent(&p, has_agent ? agent.path : NULL);
    check_code_pages(&p);
    if (check_julia(&p, julia) && has_agent) {
        check_in_temporary_folder(&p, julia, &agent);
    }
    cli_agent_clear(&agent, false);
    (void)printf("%s\n", p.is_well ? "This julia can be recorded."
                                   : "This julia cannot be recorded as it is.");
    return p.is_well ? CLI_OK : CLI_FAILED;
}

static const cli_option_group groups[] = {{cli_recording_options, offsetof(doctor_args, recording)},
                                          {0}};

const cli_command cli_cmd_doctor = {
    .name = "doctor",
    .operands = "",
    .summary = "check whether a julia can be recorded here, and if not, why",
    .about =
        "The julia is that of --julia, else of SNOOPI_JULIA, else the one in PATH. It is run twice: for its version, and recorded.",
    .groups = groups,
    .args_size = sizeof(doctor_args),
    .defaults = &defaults,
    .run = run_doctor,
};
