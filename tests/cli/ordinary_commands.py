# SPDX-License-Identifier: BSD-3-Clause
"""Ordinary command lines, and the files that they use. Their output must not contain times, process numbers or other values that differ
between runs."""
import os

WORDS = "".join(f"{word}{i % 7}\n" for i, word in enumerate(
    "pear apple fig plum quince date grape melon lemon lime mango olive peach berry cherry nut".split() * 3))
FILES = {
    "words": WORDS,
    "sorted": "".join(sorted(WORDS.splitlines(True))),
    "numbers": "".join(f"{(i * 7919) % 1000}\n" for i in range(60)),
    "table": "".join(f"row{i}\t{i % 5}\t{i * i}\n" for i in range(20)),
    "table.csv": "".join(f"{i},{chr(97 + i)},{i * 3}\n" for i in range(12)),
    "config.json": '{"threads": [1, 2, 4], "name": "solver", "nested": {"depth": 2}}\n',
    "folder/one.txt": "one\n",
    "folder/two.txt": "two\nlines\n",
    "folder/deep/three.log": "three\n",
    "change.patch": "--- folder/one.txt\n+++ folder/one.txt\n@@ -1 +1 @@\n-one\n+uno\n",
    "main.c": '#include <stdio.h>\nint twice(int);\nint main(void) { printf("%d\\n", twice(21)); return 3; }\n',
    "twice.c": "int twice(int n) { return 2 * n; }\n",
    "broken.c": "int main(void) { return nowhere; }\n",
    "nested.c": "#include <stdio.h>\n#include <omp.h>\nint main(void) {\n  int sum = 0;\n"
                "#pragma omp parallel num_threads(2) reduction(+ : sum)\n  sum += 1;\n"
                '  printf("%d\\n", sum);\n  return 0;\n}\n',
    "hello.f90": 'program hello\n  print "(a)", "hello"\nend program hello\n',
    "Makefile": "all: main\nmain: main.o twice.o\n\t$(CC) -o $@ $^\n%.o: %.c\n\t$(CC) -O1 -c $<\n"
                "fails:\n\tfalse\nsays:\n\t@echo says $(WHAT)\nmany: a1 a2 a3 a4 a5 a6\na%:\n\t@true\n"
                "clean:\n\trm -f main *.o\n",
    "script.sh": "#!/bin/sh\necho \"$# arguments: $*\"\nexit 5\n",
    "script.py": "import sys\nprint(len(sys.argv), *sys.argv[1:])\nsys.exit(6)\n",
    "script.pl": "print join(',', reverse @ARGV), \"\\n\"; exit 7;\n",
}

COREUTILS = (
    [f"{command} words" for command in (
        "cat", "cat -n", "tac", "head -n 3", "tail -n 3", "wc", "wc -l", "nl", "rev", "sort", "sort -r", "sort -u",
        "sort -f -k1.2", "cut -c1-3", "fold -w 3", "fmt -w 20", "pr -t -2", "od -c", "od -An -tx1", "md5sum", "sha1sum",
        "sha256sum", "sha512sum", "b2sum", "cksum", "sum", "base64", "base32", "stat -c %s", "du -b", "split -l 10",
        "uniq -c", "shuf --random-source=numbers", "column", "hexdump -C", "strings")]
    + ["sort -n numbers", "sort -t, -k3 -n table.csv", "sort --parallel=2 -n numbers", "cut -d, -f2 table.csv", "paste words numbers",
       "join sorted sorted | head -n 3", "comm -12 sorted sorted", "tr a-z A-Z <words", "tr -d aeiou <words", "expand table",
       "unexpand -a table", "tee out <words", "basename folder/one.txt .txt", "dirname folder/one.txt", "readlink -f folder",
       "ls", "ls -1 folder", "ls -aR folder", "ls nowhere", "cat nowhere", "mkdir a && rmdir a", "mkdir folder", "touch a && ls a",
       "cp words copy && cmp words copy", "cp -r folder copy && ls copy", "mv words moved && ls moved", "ln -s words link && readlink link",
       "rm nowhere", "rm -f nowhere", "chmod 600 words && stat -c %a words", "seq 5", "seq -s, 3 2 9", "factor 60 97", "expr 6 '*' 7",
       "expr 1 = 2", "test -f words", "test -d words", "true", "false", "echo a  b", "printf '%05.1f|%s\\n' 3.14159 x", "yes | head -n 3",
       "date -u -d @0", "id -un", "uname -s", "env -u OMP_NUM_THREADS nproc", "nproc --all", "getconf _NPROCESSORS_ONLN", "taskset -c 0 env -u OMP_NUM_THREADS nproc", "timeout 9 true",
       "timeout 0.05 sleep 5", "nice -n 3 nice", "env -i printenv", "env A=1 printenv A", "stdbuf -oL echo line", "numfmt --to=iec 2048",
       "cmp words sorted", "truncate -s 5 words && wc -c words", "sleep 0", "csplit -s words 5 && ls", "ptx -G -w 30 folder/two.txt",
       "dd if=words of=out bs=8 count=2 status=none && cat out", "sync words", "tsort folder/two.txt"])

FILTERS = [
    "grep -c apple words", "grep -n '^p' words", "grep -v e words", "grep -rl one folder", "grep nowhere words", "grep -E '(a|b)+' words",
    "grep x nowhere", "sed 's/a/b/g' words", "sed -n '2,4p' words", "sed -i 1d words && wc -l words", "sed -e '$!N;P;D' words", "sed --posix x nowhere",
    "awk '{ sum += $1 } END { print sum }' numbers", "awk -F, '$3 > 9 { print $2 }' table.csv", "awk 'BEGIN { exit 4 }'",
    "awk '{ count[length($0)]++ } END { for (n in count) print n, count[n] }' words | sort", "awk 'BEGIN { print length(ENVIRON[\"HOME\"]) > 0 }'",
    "diff words words", "diff words sorted", "diff -rq folder folder", "diff --label a --label b -u words sorted", "patch -p0 <change.patch && cat folder/one.txt",
    "find folder -type f | sort", "find . -name '*.txt' -exec wc -c {} + | sort", "find folder -name '*.log' -delete && ls folder/deep", "find nowhere",
    "xargs -n 4 echo <words", "xargs -P 2 -n 1 true <words", "xargs false <words", "bc -q <<<'scale=5; 22/7'", "m4 <<<'define(x, y)x'", "jq -c .nested config.json",
    "jq '.threads | add' config.json", "sqlite3 :memory: 'select 6 * 7'", "file -b script.sh", "iconv -f utf-8 -t utf-16le words | wc -c", "look app sorted",
    "openssl dgst -sha256 words", "xxd words | head -n 2", "column -t table", "getent passwd root", "tput -T xterm cols </dev/null"]

SHELL = [
    "exit 3", "kill -TERM $$", "kill -KILL $$", "false | true", "set -o pipefail; false | true", "! true", "nowhere-to-be-found", "./words", "./folder",
    "for i in 1 2 3; do echo $i; done", "while read -r w; do echo \"<$w>\"; done <folder/two.txt", "case abc in a*) echo yes;; esac", "f() { return 9; }; f",
    "trap 'echo bye' EXIT; exit 2", "trap 'echo caught; exit 8' TERM; kill -TERM $$; sleep 1", "echo $((7 * 6))", "x=$(cat words); echo ${#x}", "cd folder && pwd",
    "umask 027; umask", "ulimit -n 64; ulimit -n", "type true", "command -v sh", "(exit 4)", "sh -c 'exit 5'", "dash -c 'echo $0 $1' a b", "bash -c 'echo ${BASH_VERSINFO[0]}'",
    "sh script.sh a 'b c'", "sleep 0 & wait $!", "false & wait $!", "exec 3>out; echo x >&3; cat out", "cat <<<here", "cat <<EOF\n$((1 + 1))\nEOF",
    "echo error >&2", "echo a | tee out | tr a b; cat out", "cat <(echo one) <(echo two)", "exec true", "exec sh -c 'exit 6'", "set -e; false; echo no",
    "set -u; echo $nowhere", "printf '%s\\n' *", "exec 2>&-; echo quiet >&2; echo $?", "exec >&-; echo x", "grep -c '' /proc/self/maps >/dev/null", "echo >/dev/full",
    "setsid -w sh -c 'exit 3'", "(ulimit -v 400000; true)", "(ulimit -t 5; echo ok)", "flock out true", "coproc cat; echo x >&${COPROC[1]}; read -r y <&${COPROC[0]}; echo $y"]

BUILDING = [
    "make", "make -j4", "make -n", "make fails", "make -k fails says", "make says WHAT=it", "make -s many -j3", "make nowhere", "make -j2 && ./main", "make clean", "make -f nowhere",
    "gcc main.c twice.c -o main && ./main", "gcc -O2 -c twice.c && nm twice.o", "gcc -c broken.c", "gcc main.c 2>&1 | grep -c undefined", "gcc -E -P twice.c", "gcc -S -O1 twice.c && grep -c ret twice.s",
    "gcc -fopenmp -fsyntax-only nested.c", "gcc -print-file-name=libgomp.so.1 | wc -l", "gcc -dumpversion", "gcc -shared -fPIC twice.c -o libtwice.so && readelf -d libtwice.so | grep -c NEEDED",
    "gcc -static main.c twice.c -o main && ./main", "gcc -x c++ twice.c -c", "gfortran hello.f90 -o hello && ./hello", "gcc -c twice.c && ar rcs lib.a twice.o && ar t lib.a",
    "gcc -c twice.c && objdump -f twice.o", "gcc main.c twice.c && strip a.out && ./a.out", "ldd --version | head -n 1", "gcc nowhere.c"]

TOOLS = [
    "tar cf a.tar folder && tar tf a.tar | sort", "tar czf a.tgz folder && tar tzf a.tgz | wc -l", "tar cJf a.txz folder && tar xJOf a.txz folder/one.txt", "tar xf nowhere", "tar cf - folder | tar xf - -C . && ls folder",
    "gzip -c words | gzip -d | cmp - words", "gzip -k words && gzip -l words.gz | wc -l", "bzip2 -c words | bunzip2 | wc -c", "xz -c words | xz -dc | wc -c", "xz -T2 -k words && xz -t words.xz",
    "zstd -q -T2 words && zstd -q -d -c words.zst | wc -c", "zip -q a.zip words && unzip -p a.zip words | wc -c", "find folder | cpio -o --quiet | wc -c",
    "git init -q . && git status --short | wc -l", "git init -q . && git add words && git commit -q -m one && git log --format='%h %s'",
    "git init -q . && git add -A && git commit -q -m one && echo x >>words && git diff --stat", "git init -q . && git add -A && git grep -c apple",
    "git rev-parse HEAD", "git hash-object words", "git init -q . && git add -A && git commit -q -m one && git gc -q && git fsck --no-progress", "git --version | wc -l", "git diff --no-index --stat words sorted"]

LANGUAGES = (
    [f"$PYTHON -c '{code}'" for code in (
        "print(6 * 7)", "import sys; sys.exit(9)", "raise ValueError(1)", "import os; print(os.cpu_count(), len(os.sched_getaffinity(0)))",
        "import subprocess; print(subprocess.run([\"false\"]).returncode)", "import os; os.kill(os.getpid(), 15)", "import os; os._exit(4)",
        "import threading as t; x = [t.Thread(target=print, args=(1,)) for _ in range(3)]; [(i.start(), i.join()) for i in x]",
        "from multiprocessing import Pool; print(sum(Pool(2).map(abs, range(9))))",
        "from concurrent.futures import ThreadPoolExecutor as E; print(sum(E(4).map(abs, range(9))))",
        "import ctypes; print(ctypes.CDLL(None).getpid() > 0)", "import json; print(json.load(open(\"config.json\"))[\"name\"])",
        "import os; pid = os.fork(); pid == 0 and os._exit(3); print(os.waitpid(pid, 0)[1] >> 8)", "import nowhere", "print(open(\"words\").read().count(\"a\"))",
        "import signal, time; signal.alarm(1); signal.pause()")]
    + ["$PYTHON script.py a b", "$PYTHON -m json.tool config.json", "$PYTHON nowhere.py", "perl script.pl a b c", "perl -ne 'print if /^f/' words", "perl -e 'die \"no\\n\"'",
       "perl -pe 's/e/E/g' words", "perl -e 'my $p = fork; exit 2 unless $p; waitpid $p, 0; print $? >> 8, \"\\n\"'", "perl -e 'exec \"echo\", \"x\"'", "perl -e 'print `cat words` =~ tr/a//'",
       "tclsh <<<'puts [expr 6 * 7]'"])

LINES = COREUTILS + FILTERS + SHELL + BUILDING + TOOLS + LANGUAGES


def write_files(folder):
    for name, text in FILES.items():
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
