# SPDX-License-Identifier: BSD-3-Clause
# Completion of nestbind for fish. The command itself lists the words that a user can type (--list-words).

# __nestbind_spec CURRENT LINES...: completes the part after the last comma of a specification. A level has a size, then a strategy. The
# second form of a strategy, with a comma, keeps fish from adding a blank, because the user may type more.
function __nestbind_spec
    set -l lines $argv[2..]
    set -l before (string match -r '^.*,' -- $argv[1])
    set -l last (string replace -r '^.*,' '' -- $argv[1])
    if string match -q 'sub*@*' -- $last
        string replace -rf '^domain\t' "$before"(string replace -r '@.*' '@' -- $last) -- $lines
    else if test (math (string match -ra , -- "$before" | count) % 2) -eq 1
        string replace -rf '^strategy\t' "$before" -- $lines
        string replace -rf '^strategy\t(.*)' "$before\$1," -- $lines
    else
        string replace -rf '^size\t(.*)' "$before\$1," -- $lines
        test -n "$before"; or printf '%s\n' auto off
    end
end

# __nestbind_value PREFIX CURRENT LINE: completes the value of an option.
function __nestbind_value
    set -l fields (string split \t -- $argv[3])
    if string match -qr 'FILE|PATH' -- "$fields[4]"
        set -l text $argv[2]
        __fish_complete_path "$text" | string replace -r '^' -- $argv[1]
    end
    test -n "$fields[5]" -a "$fields[5]" != -; and printf "$argv[1]%s\n" (string split "|" -- $fields[5])
end

function __nestbind_complete
    set -l typed (commandline -opc)
    set -l current (commandline -ct)
    set -l lines ($typed[1] --list-words 2>/dev/null)
    set -l name $typed[2]
    if test -z "$name" -o "$name" = help
        string replace -rf '^command\t' '' -- $lines
        test -z "$name"; and printf '%s\n' help\t'Describe a command' version\t'Print the version'
        return
    end
    set -l taken
    set -l spec no
    set -l at 3
    for word in $typed[3..]
        if test -n "$taken"
            set taken
        else if test "$word" = --; or test "$name" = run -a $spec = yes
            test "$word" = --; and set at (math $at + 1)
            complete -C (string join ' ' -- (string escape -- $typed[$at..]) "$current")
            return
        else if not string match -q -- '-*' $word
            set spec yes
        else if not string match -q '*=*' -- $word
            set taken (string match -r "^option\t$name\t$word\t[^-].*" -- $lines)
        end
        set at (math $at + 1)
    end
    if test -n "$taken"
        __nestbind_value '' "$current" $taken
    else if string match -q -- '--*=*' $current
        set -l option (string split -m 1 = -- $current)
        __nestbind_value "$option[1]=" "$option[2]" (string match -r "^option\t$name\t$option[1]\t.*" -- $lines)
    else if string match -q -- '-*' $current
        string replace -rf "^option\t$name\t([^\t]*)\t[^\t]*\t[^\t]*\t" '$1\t' -- $lines
    else if test "$name" = run -a $spec = yes
        complete -C "$current"
    else if test $spec = no -o "$name" = job
        switch (string replace -rf "^argument\t$name\t" '' -- $lines)
            case SPEC
                __nestbind_spec "$current" $lines
            case PROGRAM
                complete -C "$current"
            case FILE FILES
                __fish_complete_path "$current"
        end
    end
end

complete -c nestbind -f -a '(__nestbind_complete)'
