// SPDX-License-Identifier: MIT
#ifndef SNOOPI_SHOW_CALLS_H
#define SNOOPI_SHOW_CALLS_H

#include "printer.h"

/** Takes the tasks that show the instance with the specTypes `spec` of a method called `method_name` (a string). */
void snoopi__push_call(snoopi__printer *printer, uint32_t method_name, uint32_t spec);

#endif
