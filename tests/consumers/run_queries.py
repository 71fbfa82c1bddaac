#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the queries of a document on a database:  run_queries.py DOCUMENT DATABASE

Each block that begins with ```sql is one; it has to give rows. Says how many there were.
"""
import re
import sqlite3
import sys

document, path = sys.argv[1:]
base = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
queries = re.findall(r"^```sql\n(.*?)^```$", open(document, encoding="utf-8").read(), re.S | re.M)
for query in queries:
    try:
        rows = base.execute(query).fetchall()
    except sqlite3.Error as error:
        sys.exit(f"{error}:\n{query}")
    if not rows:
        sys.exit(f"no rows:\n{query}")
print(f"{len(queries)} queries")
