-- SPDX-License-Identifier: MIT
-- What `snoopi export --to=sqlite` makes. docs/sqlite.md tells how it is meant; user_version is raised when a column changes its meaning or
-- goes away. Times are integer nanoseconds; begin_ns and end_ns count from the begin of the first process.

PRAGMA user_version = 1;

CREATE TABLE meta (
    name TEXT PRIMARY KEY,
    value
) WITHOUT ROWID;

CREATE TABLE processes (
    id INTEGER PRIMARY KEY,
    parent INTEGER REFERENCES processes, -- that started it, if it is in the recording
    pid INTEGER NOT NULL,
    ppid INTEGER NOT NULL,
    role TEXT NOT NULL,                  -- main, precompile:NAME, worker, worker:N, image
    julia TEXT NOT NULL,
    command TEXT NOT NULL,
    cwd TEXT NOT NULL,
    begin_ns INTEGER NOT NULL,
    wall_ns INTEGER NOT NULL,
    inference_ns INTEGER NOT NULL,
    busy_ns INTEGER NOT NULL,
    outside_ns INTEGER NOT NULL,
    gc_ns INTEGER NOT NULL,
    tool_ns INTEGER NOT NULL,
    frames INTEGER NOT NULL,             -- recorded ones, whatever the scope of the export
    roots INTEGER NOT NULL,
    dropped_frames INTEGER NOT NULL,
    exit_status INTEGER,                 -- one of these, or none if it is not known
    exit_signal INTEGER,
    is_complete INTEGER NOT NULL
);

CREATE TABLE modules (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,           -- LinearAlgebra.BLAS
    package TEXT NOT NULL                -- LinearAlgebra
);

CREATE TABLE files (
    id INTEGER PRIMARY KEY,
    path TEXT NOT NULL UNIQUE
);

CREATE TABLE methods (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,                  -- of the method: f, #kw##kw
    function TEXT NOT NULL,              -- of the user's function
    module INTEGER NOT NULL REFERENCES modules,
    file INTEGER NOT NULL REFERENCES files,
    line INTEGER NOT NULL,
    UNIQUE (name, module, file, line)
);

CREATE TABLE instances (
    id INTEGER PRIMARY KEY,              -- as in the trace
    key INTEGER NOT NULL,                -- the same for instances that no text tells apart
    name TEXT NOT NULL,                  -- f(::Int64)
    method INTEGER NOT NULL REFERENCES methods,
    world INTEGER NOT NULL,              -- of the method: tells redefinitions apart
    is_toplevel INTEGER NOT NULL,
    result TEXT                          -- the type that it was inferred to return; NULL: not known
);

CREATE TABLE strings (
    id INTEGER PRIMARY KEY,
    text TEXT NOT NULL UNIQUE
);

CREATE TABLE flags (
    bit INTEGER PRIMARY KEY,
    name TEXT NOT NULL
);

CREATE TABLE frames (
    id INTEGER PRIMARY KEY,              -- in pre-order: a frame's are behind it, before the next with its depth
    parent INTEGER REFERENCES frames,    -- NULL for a root
    depth INTEGER NOT NULL,
    process INTEGER NOT NULL REFERENCES processes,
    thread INTEGER NOT NULL,
    task INTEGER NOT NULL,
    instance INTEGER NOT NULL REFERENCES instances,
    flags INTEGER NOT NULL,              -- bits of the table flags
    begin_ns INTEGER NOT NULL,
    end_ns INTEGER NOT NULL,
    total_ns INTEGER NOT NULL,
    self_ns INTEGER NOT NULL,
    gc_ns INTEGER NOT NULL,              -- part of self
    outermost INTEGER NOT NULL           -- bits: no frame above is of the same 1 instance, 2 method, 4 function, 8 module,
);                                       -- 16 package, 32 file; a total of a key is the sum over these

CREATE TABLE arguments (                 -- those that were constant
    frame INTEGER NOT NULL REFERENCES frames,
    position INTEGER NOT NULL,           -- 1: the function itself
    value INTEGER NOT NULL REFERENCES strings,
    PRIMARY KEY (frame, position)
) WITHOUT ROWID;

CREATE TABLE sums (                      -- over the frames of an instance; totals by what they are outermost of
    instance INTEGER PRIMARY KEY REFERENCES instances,
    count INTEGER NOT NULL,
    roots INTEGER NOT NULL,
    self_ns INTEGER NOT NULL,
    gc_ns INTEGER NOT NULL,
    total_ns INTEGER NOT NULL,
    method_total_ns INTEGER NOT NULL,
    function_total_ns INTEGER NOT NULL,
    module_total_ns INTEGER NOT NULL,
    package_total_ns INTEGER NOT NULL,
    file_total_ns INTEGER NOT NULL
);

-- Who caused the roots, and the native stacks that say so.

CREATE TABLE triggers (                  -- one for each root that is here
    root INTEGER PRIMARY KEY REFERENCES frames,
    class TEXT,                          -- dispatch, toplevel, …; NULL: not known
    caller INTEGER REFERENCES instances, -- NULL: none, or not known …
    caller_function TEXT,                -- … but for its name
    file INTEGER REFERENCES files,       -- of the call
    line INTEGER NOT NULL,               -- 0: not known
    is_near INTEGER NOT NULL,            -- nothing between caller and callee was left unknown
    function TEXT NOT NULL,              -- that the call stands in; it may be inlined into the caller
    places INTEGER NOT NULL,             -- how many functions are inlined into each other there, with the caller
    stack INTEGER REFERENCES stacks      -- NULL: none was recorded
);

CREATE TABLE stacks (                    -- a stack is a code, and the stack that called it
    id INTEGER PRIMARY KEY,
    outer_stack INTEGER REFERENCES stacks,
    code INTEGER NOT NULL REFERENCES codes,
    UNIQUE (outer_stack, code)
);

CREATE TABLE codes (                     -- a return address; 0: it was lost
    id INTEGER PRIMARY KEY,
    address INTEGER NOT NULL
);

CREATE TABLE places (                    -- what a code was made of, innermost first; none if it was not looked up
    code INTEGER NOT NULL REFERENCES codes,
    position INTEGER NOT NULL,
    name TEXT NOT NULL,
    file INTEGER REFERENCES files,
    line INTEGER NOT NULL,
    is_inlined INTEGER NOT NULL,         -- into the next
    is_c INTEGER NOT NULL,
    PRIMARY KEY (code, position)
) WITHOUT ROWID;

CREATE TEMP TABLE keys (                 -- not kept
    id INTEGER PRIMARY KEY,
    kind INTEGER NOT NULL,
    module TEXT NOT NULL,
    name TEXT NOT NULL,
    file TEXT NOT NULL,
    line INTEGER NOT NULL,
    UNIQUE (kind, name, module, file, line)
);

-- What the rows of `snoopi list` are.

CREATE VIEW described_instances AS
SELECT i.id, i.key, i.name, m.id AS method, m.name AS method_name, m.function, mo.name AS module, mo.package, f.path AS file, m.line, i.world,
       i.is_toplevel, i.result
FROM instances i JOIN methods m ON m.id = i.method JOIN modules mo ON mo.id = m.module JOIN files f ON f.id = m.file;

CREATE VIEW by_instance AS
SELECT name, module, package, file, line, SUM(self_ns) AS self_ns, SUM(total_ns) AS total_ns, SUM(gc_ns) AS gc_ns,
       SUM(count) AS count, SUM(roots) AS roots
FROM sums JOIN described_instances d ON d.id = sums.instance GROUP BY key;

CREATE VIEW by_method AS
SELECT method_name AS name, module, package, file, line, SUM(self_ns) AS self_ns, SUM(method_total_ns) AS total_ns,
       SUM(gc_ns) AS gc_ns, SUM(count) AS count, SUM(roots) AS roots, COUNT(DISTINCT key) AS instances
FROM sums JOIN described_instances d ON d.id = sums.instance GROUP BY method;

CREATE VIEW by_function AS
SELECT function AS name, module, package, SUM(self_ns) AS self_ns, SUM(function_total_ns) AS total_ns, SUM(gc_ns) AS gc_ns,
       SUM(count) AS count, SUM(roots) AS roots, COUNT(DISTINCT key) AS instances, COUNT(DISTINCT method) AS methods
FROM sums JOIN described_instances d ON d.id = sums.instance GROUP BY function, module;

CREATE VIEW by_module AS
SELECT module AS name, module, package, SUM(self_ns) AS self_ns, SUM(module_total_ns) AS total_ns, SUM(gc_ns) AS gc_ns,
       SUM(count) AS count, SUM(roots) AS roots, COUNT(DISTINCT key) AS instances
FROM sums JOIN described_instances d ON d.id = sums.instance GROUP BY module;

CREATE VIEW by_package AS
SELECT package AS name, package, SUM(self_ns) AS self_ns, SUM(package_total_ns) AS total_ns, SUM(gc_ns) AS gc_ns,
       SUM(count) AS count, SUM(roots) AS roots, COUNT(DISTINCT key) AS instances
FROM sums JOIN described_instances d ON d.id = sums.instance GROUP BY package;

CREATE VIEW by_file AS
SELECT file AS name, file, SUM(self_ns) AS self_ns, SUM(file_total_ns) AS total_ns, SUM(gc_ns) AS gc_ns,
       SUM(count) AS count, SUM(roots) AS roots, COUNT(DISTINCT key) AS instances
FROM sums JOIN described_instances d ON d.id = sums.instance GROUP BY file;

CREATE VIEW by_process AS
SELECT process, SUM(self_ns) AS self_ns, SUM(CASE WHEN parent IS NULL THEN total_ns ELSE 0 END) AS total_ns,
       SUM(gc_ns) AS gc_ns, COUNT(*) AS count, SUM(parent IS NULL) AS roots
FROM frames GROUP BY process;

CREATE VIEW by_thread AS
SELECT process, thread, SUM(self_ns) AS self_ns, SUM(CASE WHEN parent IS NULL THEN total_ns ELSE 0 END) AS total_ns,
       SUM(gc_ns) AS gc_ns, COUNT(*) AS count, SUM(parent IS NULL) AS roots
FROM frames GROUP BY process, thread;

-- Frames with all that is known of them in words.

CREATE VIEW described_frames AS
SELECT f.id, f.parent, f.depth, f.process, f.thread, f.task, f.instance, d.name, d.method_name, d.function, d.module, d.package, d.file, d.line,
       f.begin_ns, f.end_ns, f.total_ns, f.self_ns, f.gc_ns, f.outermost,
       (SELECT group_concat(name, ' ') FROM flags WHERE f.flags & bit) AS flags,
       (SELECT group_concat(position || '=' || text, '; ') FROM arguments a JOIN strings s ON s.id = a.value WHERE a.frame = f.id) AS arguments
FROM frames f JOIN described_instances d ON d.id = f.instance;

CREATE VIEW roots AS
SELECT * FROM described_frames WHERE parent IS NULL;

-- What `snoopi triggers` shows: a row for each root, and for each pair.

CREATE VIEW described_triggers AS
SELECT t.root, f.process, f.thread, f.begin_ns, f.total_ns, f.instance, callee.name AS callee, callee.key AS callee_key, callee.module AS callee_module,
       t.caller, coalesce(caller.name, t.caller_function) AS caller_name, coalesce(caller.key, t.caller_function) AS caller_key, caller.module AS caller_module, t.class, file.path AS file, t.line,
       t.function, t.places, t.is_near, t.stack
FROM triggers t JOIN frames f ON f.id = t.root JOIN described_instances callee ON callee.id = f.instance
     LEFT JOIN described_instances caller ON caller.id = t.caller LEFT JOIN files file ON file.id = t.file;

CREATE VIEW trigger_pairs AS
SELECT callee, caller_name AS caller, class, file, line, function, SUM(total_ns) AS total_ns, COUNT(*) AS count, MIN(is_near) AS is_near
FROM described_triggers GROUP BY callee_key, caller_key, class, file, line, function;

-- The stack of each root, from level 0, the innermost, outwards.

CREATE VIEW root_stacks AS
WITH RECURSIVE walk(root, stack, level) AS (
    SELECT root, stack, 0 FROM triggers WHERE stack IS NOT NULL
    UNION ALL
    SELECT root, outer_stack, level + 1 FROM walk JOIN stacks ON stacks.id = walk.stack WHERE outer_stack IS NOT NULL)
SELECT walk.root, walk.level, p.position, coalesce(p.name, '') AS name, f.path AS file, p.line, p.is_inlined, p.is_c, s.code
FROM walk JOIN stacks s ON s.id = walk.stack LEFT JOIN places p ON p.code = s.code LEFT JOIN files f ON f.id = p.file;
