// SPDX-License-Identifier: MIT
#ifndef SNOOPI_CLI_CMD_H
#define SNOOPI_CLI_CMD_H

/**
 * @file
 * The commands, each in the file cmd_NAME.c. main.c lists them.
 */
#include "opt.h"

extern const cli_command cli_cmd_advise;
extern const cli_command cli_cmd_diff;
extern const cli_command cli_cmd_doctor;
extern const cli_command cli_cmd_env;
extern const cli_command cli_cmd_export;
extern const cli_command cli_cmd_flamegraph;
extern const cli_command cli_cmd_info;
extern const cli_command cli_cmd_list;
extern const cli_command cli_cmd_merge;
extern const cli_command cli_cmd_pack;
extern const cli_command cli_cmd_precompile;
extern const cli_command cli_cmd_record;
extern const cli_command cli_cmd_recover;
extern const cli_command cli_cmd_report;
extern const cli_command cli_cmd_tree;
extern const cli_command cli_cmd_triggers;
extern const cli_command cli_cmd_view;

#endif
