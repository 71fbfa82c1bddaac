# SPDX-License-Identifier: MIT
# The rule for names: what show prints with a fresh, empty module as :module, less "MethodInstance for " and the prefix "Main." of
# paths.

const FRESH = Module(:fresh)

# A path begins where no identifier goes on.
without_main(s) = replace(s, r"(?<![\w.!#])Main\." => "")

shown(@nospecialize(x)) = sprint(show, x; context = :module => FRESH)

function instance_name(mi)
    s = shown(mi)
    without_main(startswith(s, "MethodInstance for ") ? s[20:end] : s)
end

escaped(s) = replace(replace(replace(s, "\\" => "\\\\"), "\n" => "\\n"), "\t" => "\\t")
