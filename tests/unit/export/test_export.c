// SPDX-License-Identifier: MIT
#include "tests/unit/cmocka_all.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <snoopi/export.h>

#include "tests/unit/tree/scripttrace.h"

static size_t size; // of what was exported last

// The export as text, to be freed.
static char *export_text(snoopi_trace *trace, snoopi_export_options options)
{
    char *text = NULL;
    snoopi_error err = {0};
    FILE *const out = open_memstream(&text, &size);
    assert_non_null(out);
    if (snoopi_export_stream(trace, out, &options, &err) < 0) {
        fail_msg("%s", err.text);
    }
    assert_int_equal(fclose(out), 0);
    return text;
}

static char *export_format(snoopi_trace *trace, snoopi_export_format format)
{
    snoopi_export_options options = SNOOPI_EXPORT_INIT;
    options.format = format;
    return export_text(trace, options);
}

static void folded_merges_paths_and_weighs_self_time(void **state)
{
    (void)state;
    scripttrace s;
    snoopi_trace *const trace = script_trace(&s, "f(gg(h))f(g)w");
    char *const text = export_format(trace, SNOOPI_EXPORT_FOLDED);
    uint64_t sum = 0;
    unsigned n = 0;
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        const char *const space = strrchr(line, ' ');
        assert_non_null(space);
        sum += strtoull(space + 1, NULL, 10);
        n++;
        if (n == 3) { // siblings go by name
            char expected[128];
            (void)snprintf(expected, sizeof expected, "%s;%s 40",
                           snoopi_trace_instance(trace, 1)->name,
                           snoopi_trace_instance(trace, 2)->name);
            assert_string_equal(line, expected);
        }
    }
    assert_int_equal(n, 4); // f, f;g, f;g;h, w
    assert_int_equal(sum, snoopi_trace_process(trace, 0)->inference_ns);
    free(text);
    script_clear(&s);
}

static void folded_keeps_separators_out_of_names(void **state)
{
    (void)state;
    scripttrace s;
    snoopi_trace *const trace =
        script_trace(&s, "w(w)"); // the name holds a semicolon, quotes and a space
    char *const text = export_format(trace, SNOOPI_EXPORT_FOLDED);
    size_t separators = 0;
    for (const char *at = text; *at; at++) {
        separators += *at == ';';
    }
    assert_int_equal(separators, 1);
    assert_non_null(strstr(text, "a\xCD\xBE"
                                 "b"));
    free(text);
    script_clear(&s);
}

static void jsonl_has_a_line_for_each_frame_in_pre_order(void **state)
{
    (void)state;
    scripttrace s;
    snoopi_trace *const trace = script_trace(&s, "f(g)|h");
    char *const text = export_format(trace, SNOOPI_EXPORT_JSONL);
    const char *const expected =
        "{\"id\":0,\"parent\":null,\"depth\":0,\"process\":0,\"thread\":0,\"name\":\"f(::Int64)\",\"module\":\"Main\","
        "\"file\":\"/src/a.jl\",\"line\":10,\"begin_ns\":2000,\"end_ns\":2030,\"total_ns\":30,\"self_ns\":20,\"gc_ns\":0,"
        "\"flags\":[],\"instance\":1,\"args\":[],\"method_world\":5000,\"result\":null}\n";
    assert_memory_equal(text, expected, strlen(expected));
    size_t lines = 0;
    for (const char *at = text; *at; at++) {
        lines += *at == '\n';
    }
    assert_int_equal(lines, 3);
    assert_non_null(strstr(text, "{\"id\":1,\"parent\":0,\"depth\":1,"));
    assert_non_null(strstr(text, "\"method_world\":5001,\"result\":\"Float64\"}\n"));
    free(text);
    script_clear(&s);
}

static void a_filter_hangs_frames_on_what_is_left(void **state)
{
    (void)state;
    scripttrace s;
    snoopi_trace *const trace = script_trace(&s, "f(g(h))");
    snoopi_export_options options = SNOOPI_EXPORT_INIT;
    options.filter.module = "[ML]*[nb]"; // Main, Lib.Sub
    char *const text = export_text(trace, options);
    assert_non_null(strstr(text, "{\"id\":0,\"parent\":null,\"depth\":0,"));
    options.filter.module = "Lib.Sub";
    char *const sub = export_text(trace, options);
    assert_non_null(strstr(sub, "{\"id\":2,\"parent\":null,\"depth\":0,"));
    options.filter = (snoopi_filter){.file = "*.jl", .package = "*"};
    options.scope.from_ns = 5000;
    char *const none = export_text(trace, options);
    assert_string_equal(none, "");
    free(text);
    free(sub);
    free(none);
    script_clear(&s);
}

static void csv_quotes_text(void **state)
{
    (void)state;
    scripttrace s;
    snoopi_trace *const trace = script_trace(&s, "w|g");
    char *const text = export_format(trace, SNOOPI_EXPORT_CSV);
    const char *const row = strchr(text, '\n') + 1;
    assert_non_null(strstr(row, "0,,0,0,0,\""));
    assert_non_null(strstr(row, "\"Main\",\"/src/a.jl\",40,2000,2010,10,10,0,,4,,5003,\n"));
    assert_non_null(strstr(row, ",,2,,5001,\"Float64\"\n"));
    assert_non_null(strstr(row, "\"\"c")); // the quotes of the name
    free(text);
    script_clear(&s);
}

static void equal_calls_give_equal_bytes(void **state)
{
    (void)state;
    scripttrace s;
    script_init(&s);
    script_process(&s, "f(gF(h)w)t w(t)");
    script_process(&s, "g(h)|h");
    snoopi_trace *const trace = script_open(&s);
    for (int format = 0; snoopi_export_format_name(format); format++) {
        char *const first = export_format(trace, (snoopi_export_format)format);
        const size_t first_size = size;
        char *const second = export_format(trace, (snoopi_export_format)format);
        assert_int_equal(first_size, size);
        assert_memory_equal(first, second, size);
        free(first);
        free(second);
    }
    script_clear(&s);
}

static void a_recording_without_frames_is_no_failure(void **state)
{
    (void)state;
    scripttrace s;
    snoopi_trace *const trace = script_trace(&s, " ");
    for (int format = 0; snoopi_export_format_name(format); format++) {
        char *const text = export_format(trace, (snoopi_export_format)format);
        free(text);
    }
    script_clear(&s);
}

static void keys_that_frames_do_not_have_are_refused(void **state)
{
    (void)state;
    static const snoopi_by keys[] = {SNOOPI_BY_FRAME, SNOOPI_BY_ROOT, SNOOPI_BY_PROCESS,
                                     SNOOPI_BY_THREAD};
    scripttrace s;
    snoopi_trace *const trace = script_trace(&s, "f");
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        snoopi_export_options options = SNOOPI_EXPORT_INIT;
        snoopi_error err = {0};
        options.by = keys[i];
        assert_int_equal(snoopi_export_stream(trace, stderr, &options, &err), SNOOPI_E_INVALID);
    }
    script_clear(&s);
}

// ---- files

static void a_full_disk_fails_every_format(void **state)
{
    (void)state;
    scripttrace s;
    snoopi_trace *const trace = script_trace(&s, "f(gF(h)w)t w(t)|f(g)");
    for (int format = 0; snoopi_export_format_name(format); format++) {
        snoopi_export_options options = SNOOPI_EXPORT_INIT;
        snoopi_error err = {0};
        options.format = (snoopi_export_format)format;
        assert_int_equal(snoopi_export_file(trace, "/dev/full", &options, &err), SNOOPI_E_IO);
        assert_int_equal(err.sys_errno, ENOSPC);
    }
    script_clear(&s);
}

static void a_file_is_replaced_when_it_is_whole(void **state)
{
    (void)state;
    scripttrace s;
    snoopi_trace *const trace = script_trace(&s, "f");
    char path[128];
    char link[128];
    struct stat before, after;
    snoopi_error err = {0};
    (void)snprintf(path, sizeof path, "%s/out", s.folder);
    (void)snprintf(link, sizeof link, "%s/link", s.folder);
    assert_int_equal(symlink("out", link), 0);
    assert_int_equal(snoopi_export_file(trace, path, NULL, &err), 0);
    assert_int_equal(stat(path, &before), 0);
    assert_int_equal(before.st_mode & 0777, 0644);
    assert_int_equal(snoopi_export_file(trace, link, NULL, &err), 0);
    assert_int_equal(lstat(link, &after), 0);
    assert_true(S_ISLNK(after.st_mode));
    assert_int_equal(stat(path, &after), 0);
    assert_int_not_equal(before.st_ino, after.st_ino);
    assert_int_equal(before.st_size, after.st_size);
    (void)unlink(link);
    (void)unlink(path);
    script_clear(&s);
}

static void a_failed_export_leaves_what_was_there(void **state)
{
    (void)state;
    scripttrace s;
    snoopi_trace *const trace = script_trace(&s, "f");
    snoopi_error err = {0};
    assert_int_equal(snoopi_export_file(trace, "/dev/full", NULL, &err), SNOOPI_E_IO);
    assert_int_equal(err.sys_errno, ENOSPC);
    assert_int_equal(snoopi_export_file(trace, "/nonexistent/out", NULL, &err), SNOOPI_E_IO);
    assert_non_null(strstr(err.text, "/nonexistent/out"));

    char path[128];
    (void)snprintf(path, sizeof path, "%s/out", s.folder);
    snoopi_export_options options = SNOOPI_EXPORT_INIT;
    options.scope.mark = "never";
    FILE *const old = fopen(path, "w");
    assert_non_null(old);
    assert_int_equal(fclose(old), 0);
    assert_int_equal(snoopi_export_file(trace, path, &options, &err), SNOOPI_E_INVALID);
    struct stat now;
    assert_int_equal(stat(path, &now), 0);
    assert_int_equal(now.st_size, 0);
    (void)unlink(path);
    script_clear(&s); // which fails to remove the folder if a temporary file is left
    assert_int_not_equal(access(s.folder, F_OK), 0);
}

int main(void)
{
    (void)umask(022);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(folded_merges_paths_and_weighs_self_time),
        cmocka_unit_test(folded_keeps_separators_out_of_names),
        cmocka_unit_test(jsonl_has_a_line_for_each_frame_in_pre_order),
        cmocka_unit_test(a_filter_hangs_frames_on_what_is_left),
        cmocka_unit_test(csv_quotes_text),
        cmocka_unit_test(equal_calls_give_equal_bytes),
        cmocka_unit_test(a_recording_without_frames_is_no_failure),
        cmocka_unit_test(keys_that_frames_do_not_have_are_refused),
        cmocka_unit_test(a_full_disk_fails_every_format),
        cmocka_unit_test(a_file_is_replaced_when_it_is_whole),
        cmocka_unit_test(a_failed_export_leaves_what_was_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
