// SPDX-License-Identifier: MIT
// measure COMMAND…: runs a command with its output thrown away, and prints the CPU time that it took in microseconds, the most memory that it
// had in bytes, and how it ended.
//
// A program of its own, because the kernel counts as a child's memory what its parent had at the fork: a script would measure itself.
#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static void run(char **argv)
{
    const int sink = open("/dev/null", O_WRONLY);
    if (sink >= 0 && dup2(sink, STDOUT_FILENO) >= 0 && dup2(sink, STDERR_FILENO) >= 0) {
        (void)execvp(argv[0], argv);
    }
    _exit(127);
}

static long long micros(struct timeval t)
{
    return (long long)t.tv_sec * 1000000 + t.tv_usec;
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "usage: measure COMMAND…\n");
        return 2;
    }
    const pid_t pid = fork();
    if (pid == 0) {
        run(argv + 1);
    }
    int status = 0;
    struct rusage usage;
    if (pid < 0 || wait4(pid, &status, 0, &usage) != pid) {
        perror("measure");
        return 1;
    }
    printf("%lld %lld %d\n", micros(usage.ru_utime) + micros(usage.ru_stime),
           (long long)usage.ru_maxrss * 1024, WIFEXITED(status) ? WEXITSTATUS(status) : 255);
    return 0;
}
