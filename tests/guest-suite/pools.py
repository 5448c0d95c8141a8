#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs PyTorch, scikit-learn and GROMACS on a NUMA machine. Their outer level is not OpenMP. Four Python threads call PyTorch and
scikit-learn (pool_programs.py). GROMACS has four ranks of thread-MPI. Checks threads, teams, and the kernel's masks while the programs run.

usage: pools.py --python PYTHON FOLDER     PYTHON: an interpreter with torch, scikit-learn and threadpoolctl
                                           FOLDER: a build tree with the library and the command

Each program runs without nestbind, without nestbind but limited by threadpoolctl, with `auto`, and with `--roots=4 auto`. No test measures
time.
If a program fails without nestbind, it is skipped, and a line says so.
"""

import collections
import glob
import json
import os
import shlex
import shutil
import subprocess
import sys

import path
import running
from boot import GUEST, Boot, GuestSkipped, parser, text_of

MACHINE = "barcelona"
NODES = [frozenset(range(first, first + 4)) for first in (0, 4, 8, 12)]
ALL = frozenset(range(16))
PROGRAM = os.path.join(path.HERE, "pool_programs.py")
PYTHON_PROGRAMS = ("torch", "boosting", "clusters")
LIMITED = "threadpoolctl"
PLAIN = "plain"
# A program's results must be equal to the results of this variant. PyTorch's results differ between teams of sixteen and of four threads,
# also without nestbind. The results of clusters vary from run to run.
LIKE = {"torch": LIMITED, "boosting": PLAIN, "gromacs": PLAIN}
NESTBIND = {"auto": ["auto"], "roots": ["--roots=4", "auto"]}
PATIENCE = 600
SECTION = "section"
# Kernel modules that the guest needs for its disk, but does not have.
MODULES = ("virtio_ring", "virtio", "virtio_pci_legacy_dev", "virtio_pci_modern_dev", "virtio_pci", "virtio_blk")
TOPOLOGY = '#include "oplsaa.ff/forcefield.itp"\n#include "oplsaa.ff/spce.itp"\n[ system ]\nwater\n[ molecules ]\n'
SETTINGS = "integrator = md\nnsteps = 10\ncoulombtype = PME\ngen-vel = yes\ngen-seed = 1\n"
# Runs a program, and meanwhile writes the masks of its threads and the places that nestbind has planned.
WATCHED = """export OPENBLAS_NUM_THREADS=1 PYTHONPATH={packages}
cd /tmp
{line} & process=$!
while [ -e /proc/$process/exe ]; do
  echo {section}; grep -s Cpus_allowed_list: /proc/$process/task/*/status
  {nestbind} top --once --format json -d 0.1 $process
  sleep 1
done >"$GUEST_FILES/{name}.seen" 2>/dev/null
wait $process || exit
[ ! -e out.gro ] || sha256sum out.gro
rm -f out.*
"""


def linked_or_copied(old, new):
    try:
        os.link(old, new, follow_symlinks=False)
    except OSError:
        shutil.copy2(old, new, follow_symlinks=False)


class Disk:
    """Makes a file system with an interpreter and its packages, which are larger than the guest's memory."""

    def __init__(self, python, folder):
        listed = subprocess.run([python, PROGRAM, "files"], stdout=subprocess.PIPE, check=True, encoding="utf-8")
        self.python = os.path.realpath(python)
        self.names = listed.stdout.split("\n")[:-1]
        self.image = os.path.join(folder, "disk.ext4")
        content = os.path.join(folder, "disk.list")
        if not os.path.exists(self.image) or text_of(content) != listed.stdout:
            self.make(os.path.join(folder, "disk"))
            with open(content, "w", encoding="utf-8") as out:
                out.write(listed.stdout)

    def make(self, root):
        shutil.rmtree(root, ignore_errors=True)
        for name in self.names:
            target = root + name
            os.makedirs(os.path.dirname(target), exist_ok=True)
            if os.path.isdir(name):
                shutil.copytree(name, target, symlinks=True, dirs_exist_ok=True, copy_function=linked_or_copied,
                                ignore=shutil.ignore_patterns("site-packages", "dist-packages", "include", "test"))
            elif not os.path.lexists(target):
                linked_or_copied(name, target)
        size = int(subprocess.run(["du", "-sm", root], stdout=subprocess.PIPE, check=True).stdout.split()[0])
        subprocess.run(["rm", "-f", self.image], check=True)
        subprocess.run(["/sbin/mkfs.ext4", "-q", "-O", "^has_journal", "-d", root, self.image, f"{size + size // 8 + 64}M"], check=True)
        shutil.rmtree(root)

    def mounted(self, modules):
        """Returns a script that gives each file in the guest the same path as on the host."""
        lines = [f"insmod {module}" for module in modules]
        lines += ["mkdir -p /disk", "mount -t ext4 -o ro /dev/vda /disk || exit 1"]
        for name in self.names:
            quoted = shlex.quote(name)
            lines.append(f"[ -e {quoted} ] || {{ mkdir -p {shlex.quote(os.path.dirname(name))}; ln -s /disk{quoted} {quoted}; }}")
        return "\n".join(lines) + "\n"

    def packages(self):
        """Returns the value of PYTHONPATH. With this value Python needs no virtual environment."""
        return ":".join(dict.fromkeys(name.partition("-packages/")[0] + "-packages" for name in self.names if "-packages/" in name))


def make_water(gmx, folder):
    for name, text in (("topol.top", TOPOLOGY), ("md.mdp", SETTINGS)):
        with open(os.path.join(folder, name), "w", encoding="utf-8") as out:
            out.write(text)
    for words in (["solvate", "-cs", "spc216.gro", "-box", "3", "3", "3", "-o", "water.gro"],
                  ["grompp", "-f", "md.mdp", "-c", "water.gro", "-o", "water.tpr"]):
        subprocess.run([gmx, "-quiet", "-nobackup", *words, "-p", "topol.top"], cwd=folder, capture_output=True, check=True)


def programs(disk, gmx, folder):
    """Returns {name: {variant: words}} for the variants without nestbind."""
    for name in PYTHON_PROGRAMS if disk else ():
        words = [disk.python, PROGRAM, name]
        yield name, {PLAIN: words, LIMITED: [*words, "4"]}
    if gmx:
        words = [gmx, "-quiet", "-nobackup", "mdrun", "-s", os.path.join(folder, "water.tpr"), "-deffnm", "out",
                 "-ntmpi", "4", "-ntomp", "4", "-pin", "off", "-reprod"]
        yield "gromacs", {PLAIN: words}


class Seen:
    """One look at a program: the kernel's masks of its threads, and the threads that nestbind has placed."""

    def __init__(self, text):
        self.masks = {}
        self.teams = collections.defaultdict(dict)  # by root: {thread: planned}
        for line in text.splitlines():
            if "/task/" in line:
                where, _, cpus = line.partition("Cpus_allowed_list:")
                self.masks[int(where.split("/task/")[1].split("/")[0])] = cpus_in(cpus.strip())
            elif line.startswith("{"):
                for thread in (one for process in json.loads(line)["processes"] for one in process["threads"]):
                    if thread["path"]:
                        self.teams[thread["root"]][thread["thread"]] = frozenset(thread["planned"])

    def wandered(self):
        return [f"thread {thread}: {sorted(self.masks.get(thread, []))}, planned on {sorted(cpus)}"
                for team in self.teams.values() for thread, cpus in team.items() if self.masks.get(thread) != cpus]


def cpus_in(text):
    found = set()
    for part in text.split(","):
        first, _, last = part.partition("-")
        found.update(range(int(first), int(last or first) + 1))
    return frozenset(found)


def looks(name):
    found = [Seen(text) for text in text_of(name).split(SECTION + "\n")]
    return [look for look in found if look.masks]


def fullest(found):
    """Threads without a root are older than the division of the machine, and end soon. A look reads the masks before the plan, and a fork
    in between can change the plan."""
    def worth(look):
        roots = len(look.teams) - (None in look.teams)
        return roots, -len(look.teams.get(None, ())), -len(look.wandered()), 0 if roots else len(look.masks)
    return max(reversed(found), key=worth, default=None)


def shown(look, variant):
    """Returns a row of the table in bench/README.md."""
    sizes = ", ".join(str(len(team)) for team in look.teams.values())
    parts = "; ".join(map(list_of, sorted((frozenset().union(*team.values()) for team in look.teams.values()), key=min)))
    return f"{len(look.masks)} threads, " + (f"teams of {sizes} on {parts}" if variant in NESTBIND else "anywhere")


def list_of(cpus):
    first, last = min(cpus), max(cpus)
    return f"{first}-{last}" if len(cpus) == last - first + 1 > 1 else ",".join(map(str, sorted(cpus)))


def faults_of_masks(look, variant):
    teams = list(look.teams.values())
    free = [thread for thread in look.masks if not any(thread in team for team in teams)]
    wrong = [f"thread {thread} is in no team, and on {sorted(look.masks[thread])}" for thread in free if look.masks[thread] != ALL]
    if variant not in NESTBIND:
        return wrong + (["nestbind has placed it"] if teams else [])
    if sorted(map(min, (frozenset().union(*team.values()) for team in teams))) != [min(node) for node in NODES]:
        wrong.append(f"{len(teams)} roots, not one for each node")
    return wrong + look.wandered() + [f"root {root}: {sorted(map(sorted, team.values()))}" for root, team in look.teams.items()
                                      if sorted(map(len, team.values())) != [1, 1, 1, 1] or frozenset().union(*team.values()) not in NODES]


def faults(program, variant, results, look):
    """Returns the faults of a variant."""
    if results[variant] is None or results[variant][0] != 0:
        return [f"it ended with {results[variant]}"]
    wrong = faults_of_masks(look, variant) if look else ["nothing was seen"]
    like = LIKE.get(program)
    if like and variant in NESTBIND and results[like] and results[like][1] != results[variant][1]:
        wrong.append(f"another result than {like}")
    return wrong


def parse_arguments():
    options = parser(__doc__, ("--build", "--case", "--all"))
    options.add_argument("--python", help="an interpreter with torch, scikit-learn and threadpoolctl")
    return options.parse_args()


def needed(arguments, folder, gmx, boot):
    """Adds the needed files to the boot, and returns the disk."""
    tree = os.path.abspath(arguments.folder)
    boot.need(os.path.join(tree, "bin", "nestbind"), *glob.glob(os.path.join(tree, "lib", "libnestbind.so*")), os.path.join(tree, "lib", "nestbind"), PROGRAM)
    if gmx:
        make_water(gmx, folder)
        boot.need(gmx, os.path.join(folder, "water.tpr"))
    if not arguments.python:
        return None
    disk = Disk(arguments.python, folder)
    subprocess.run([GUEST, "image", "--cache", arguments.cache], check=True)
    modules = [glob.glob(f"{os.path.abspath(arguments.cache)}/packages/lib/modules/*/kernel/drivers/*/{name}.ko")[0] for name in MODULES]
    boot.need(*modules)
    boot.qemu = ["-drive", f"file={disk.image},format=raw,if=virtio,readonly=on"]
    boot.add("mount", disk.mounted(modules))
    return disk


def main():
    arguments = parse_arguments()
    gmx = shutil.which("gmx")
    results = running.Results()
    for what, reason in (((arguments.python, "PyTorch, scikit-learn: no interpreter with them is named (--python)"),
                          (gmx, "GROMACS: there is no gmx (Debian: gromacs)"))):
        if not what:
            print(f"SKIP: pools: {reason}")
    if not arguments.python and not gmx:
        return running.SKIPPED
    folder = os.path.join(os.path.abspath(arguments.folder), "guest-suite", "pools")
    os.makedirs(folder, exist_ok=True)
    boot = Boot(MACHINE, os.path.join(folder, "results"), arguments.cache)
    boot.commands_a_job = 1
    disk = needed(arguments, folder, gmx, boot)
    nestbind = os.path.join(os.path.abspath(arguments.folder), "bin", "nestbind")
    every = {}
    for program, variants in programs(disk, gmx, folder):
        variants |= {name: [nestbind, "run", *words, "--", *variants[PLAIN]] for name, words in NESTBIND.items()}
        every[program] = variants
        for variant, words in variants.items():
            name = f"{program}.{variant}"
            boot.add(name, WATCHED.format(line=shlex.join(words), nestbind=nestbind, section=SECTION, name=name, packages=disk.packages() if disk else ""))
    try:
        boot.run(PATIENCE, PATIENCE * len(boot.commands))
    except GuestSkipped as reason:
        print(reason)
        return running.SKIPPED
    for program, variants in every.items():
        found = {variant: boot.result(f"{program}.{variant}") for variant in variants}
        if not found[PLAIN] or found[PLAIN][0] != 0:
            results.skip(program, f"it does not run in the guest without nestbind: {found[PLAIN]}")
            continue
        for variant in variants:
            look = fullest(looks(boot.found[f"{program}.{variant}"] + ".seen"))
            results.show(f"{program}, {variant}: {shown(look, variant) if look else ''}", faults(program, variant, found, look))
    return results.close()


if __name__ == "__main__":
    sys.exit(main())
