# SPDX-License-Identifier: MIT
# The first use of the package Rainfall.
using Rainfall

east = readings("east", "1 2.5\n2 3.5\n# nothing measured\n15 1.0\n40 2.25\n41 0.75\n")
west = readings("west", "1;2.0\n3;1.5\n15;0.0\n40;2.0\n"; separator = ';')
both = east ⊕ west
print(Rainfall.Tables.table(both; days = 10))
print(Rainfall.Tables.summary_line(both))
