#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Makes the site in build/site/html. The site has pages from README, docs/ and bench/, the manual, and the planner's page. mandoc converts
the manual. The planner is compiled to WebAssembly. Installs its tools from PyPI in build/site/venv.

    docs/site/make.py [COMMAND]     COMMAND: the path of nestbind (default: build/gcc/bin/nestbind)
"""
import base64
import html
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import venv
import zlib

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
BUILD = ROOT / "build" / "site"
PAGES = BUILD / "pages"
SITE = BUILD / "html"
PYTHON = BUILD / "venv" / "bin" / "python"

TEXTS = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "packaging/README.md", "examples/README.md", "lib/README.md",
         "docs/*.md", "bench/*.md"]
PICTURES = ["docs/pictures/*.svg", "bench/results/*.svg"]
OWN = ["play.html", "play.css", "play.js", "manual.css", "iframe-worker.js"]

NAVIGATION = [
    {"Start": "README.md"},
    {"Playground": "play.html"},
    {"Guide": [{"The right line in ten minutes": "docs/guide.md"}, {"Coming from other tools": "docs/coming-from.md"},
               {"How it works": "docs/how-it-works.md"}, {"Pictures": "docs/pictures.md"}, {"Examples": "examples/README.md"},
               {"Packages": "packaging/README.md"}, {"What changed": "CHANGELOG.md"}, {"Contributing": "CONTRIBUTING.md"},
               {"Security": "SECURITY.md"}, {"The code": "lib/README.md"}]},
    {"Results": [{"Time and cost": "bench/README.md"}, {"Accesses on a NUMA machine": "bench/NUMA.md"},
                 {"Memory": "bench/MEMORY.md"}, {"Load balance": "bench/BALANCE.md"}, {"Distances": "bench/TOPOLOGY.md"}]},
]


def siblings(cores):
    """hwloc's text for Linux's numbering of processors: first one hardware thread of each core, then the second one of each core."""
    return "(indexes=" + ",".join(f"{core},{core + cores}" for core in range(cores)) + ")"


# The machines of the playground: group, name, title, and the value of --machine.
MACHINES = [
    ("Published", "barcelona", "4 x 4 cores, Barcelona (IWOMP 2010)", "tests/machines/barcelona.xml"),
    ("Published", "tigerton", "4 x 4 cores, two share an L2, Tigerton (IWOMP 2010)", "tests/machines/tigerton.xml"),
    ("Published", "scalemp", "104 cores on 13 boards, ScaleMP (IWOMP 2010)", "tests/machines/scalemp.xml"),
    ("Published", "bielefeld", "15 boards of 8 cores (SHEMAT-Suite)", "tests/machines/bielefeld.xml"),
    ("Published", "nehalem-sun", "2 x 4 cores of two threads, as Sun numbers them", "tests/machines/nehalem-sun.xml"),
    ("Published", "nehalem-hp", "2 x 4 cores of two threads, as HP numbers them", "tests/machines/nehalem-hp.xml"),
    ("Published", "numa32", "32 cores (NumaLB)", "tests/machines/numa32.xml"),
    ("Of today", "laptop", "a laptop: 6 fast cores, 8 slow ones", "tests/machines/laptop.xml"),
    ("Of today", "epyc", "2 x EPYC 9654, four NUMA nodes each: 192 cores, 384 processors",
     "pack:2 group:4 [numa] l3:3 core:8 pu:2" + siblings(192)),
    ("Of today", "grace", "2 x Grace: 144 cores", "pack:2 [numa] l3:1 core:72 pu:1"),
    ("Shapes", "2x4", "2 NUMA nodes of 4 cores", "pack:2 [numa] core:4 pu:1"),
    ("Shapes", "8x4x8", "8 NUMA nodes of 4 L3 of 8 cores", "pack:8 [numa] l3:4 core:8 pu:1"),
    ("Shapes", "knl", "64 cores of four threads, two kinds of memory", "pack:1 [numa] [numa] l2:32 core:2 pu:4"),
    ("Shapes", "flat", "64 cores without NUMA nodes", "core:64 pu:1"),
    ("Shapes", "64x64", "64 NUMA nodes of 64 cores", "pack:64 [numa] core:64 pu:1"),
]

# The sources of the planner's module.
PLANNER = ["docs/site/play.cpp", "lib/common/mask/*.cpp", "lib/common/spec/*.cpp", "lib/planner/machine/*.cpp",
           "lib/planner/machine/cache/record.cpp", "lib/planner/plan/*.cpp", "lib/command/show/*.cpp", "lib/command/show/picture/*.cpp",
           "lib/command/advice/*.cpp"]
NOT_SHOWN = {"topology_forms.cpp", "suggestions.cpp"}
INCLUDED = [".", "include", "lib", "lib/common", "lib/planner", "lib/command"]


def run(*words, **keywords):
    done = subprocess.run([str(word) for word in words], check=False, stdout=subprocess.PIPE, encoding="utf-8", **keywords)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, words))[:200]}: status {done.returncode}")
    return done.stdout


def found(*patterns):
    return sorted(path for pattern in patterns for path in ROOT.glob(pattern))


def install_tools():
    wanted = HERE / "requirements.txt"
    there = BUILD / "venv" / "requirements.txt"
    if there.exists() and there.read_text() == wanted.read_text():
        return
    venv.create(BUILD / "venv", with_pip=True)
    run(PYTHON, "-m", "pip", "install", "-q", "-r", wanted)
    shutil.copy(wanted, there)


# Pages

def target_of(page, name):
    """The page of the site to which a link leads; None if the site does not have it."""
    path = os.path.normpath(os.path.join(os.path.dirname(page), name))
    for candidate in (path, path + ".md", os.path.join(path, "README.md")):
        if (PAGES / candidate).is_file():
            return os.path.relpath(candidate, os.path.dirname(page))
    return None


def in_markdown(page, text):
    """Changes GitHub's Markdown to Python-Markdown's, which needs an empty line before a list. A link to a file that is not a page of the
    site becomes plain text."""
    text = re.sub(r"(?ms)^```text\n(before:.*?|2,scatter .*?)^```$", side_by_side, text)
    parts = re.split(r"(?ms)^(```.*?^```)$", text)
    for i in range(0, len(parts), 2):
        parts[i] = re.sub(r"(?m)^(?![-|#\s]|\d+\. )(.+)\n(?=- |\d+\. |\|)", r"\1\n\n", parts[i])
        parts[i] = re.sub(r"\[([^\]]+)\]\(([^)#:\s]+)(#[^)]*)?\)", lambda m: link(page, *m.groups()), parts[i])
    return "\n".join(part if i % 2 == 0 else f"\n{part}\n" for i, part in enumerate(parts))


def side_by_side(match):
    """Cuts a block with two columns into two blocks, which a narrow page shows one below the other."""
    lines = match.group(1).splitlines()
    column = max(line.rfind("   ") + 3 for line in lines[:1])
    halves = ["\n".join(line[begin:end].rstrip() for line in lines) for begin, end in ((0, column), (column, None))]
    return '\n<div class="pair">' + "".join(f"<pre>{html.escape(half)}</pre>" for half in halves) + "</div>\n"


def link(page, words, name, place):
    target = target_of(page, name)
    return f"[{words}]({target}{place or ''})" if target else words


def copy_pages():
    for path in found(*TEXTS, *PICTURES) + [HERE / name for name in OWN]:
        place = PAGES / (path.name if path.parent == HERE else path.relative_to(ROOT))
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, place)


def write_pages():
    for path in found(*TEXTS):
        page = str(path.relative_to(ROOT))
        (PAGES / page).write_text(in_markdown(page, path.read_text(encoding="utf-8")), encoding="utf-8")


# The manual

def heading(match):
    level, anchor, words = match.groups()
    words = " ".join(re.sub(r"<[^>]*>", "", words).split())
    return f"\n</div>\n\n{'#' * (int(level) + 1)} {words} {{: #{html.unescape(anchor)} }}\n\n<div class=\"manual\">\n"


def manual_page(path):
    """A manual page as Markdown that contains HTML. The headings are Markdown, so that the page has a table of contents."""
    text = run("mandoc", "-T", "html", "-O", "fragment,man=%N.%S.html", path)
    text = re.search(r'(?s)<div class="manual-text">\n(.*)</div>\s*<table class="foot">', text).group(1)
    text = re.sub(r"</?section[^>]*>\n?", "", text)
    text = re.sub(r'(?s)<h([12]) class="S[hs]" id="([^"]*)">(.*?)</h\1>', heading, text)
    text = re.sub(r'<a class="Xr" href="([^"#]*)\.html">(.*?)</a>',
                  lambda m: m.group() if (ROOT / "docs" / "man" / m.group(1)).exists() else m.group(2), text)
    return f"# {path.stem}({path.suffix[1:]})\n\n<div class=\"manual\">\n{text}\n</div>\n"


def write_manual():
    """Writes the manual pages. Returns their part of the navigation."""
    folder = PAGES / "docs" / "man"
    folder.mkdir(parents=True, exist_ok=True)
    pages = sorted(found("docs/man/*.[1-9]"), key=lambda path: (path.suffix, path.stem))
    for path in pages:
        (folder / f"{path.name}.md").write_text(manual_page(path), encoding="utf-8")
    return {"Manual": [{f"{path.stem}({path.suffix[1:]})": f"docs/man/{path.name}.md"} for path in pages]}


# The planner

def packed(data):
    return base64.urlsafe_b64encode(zlib.compress(data, 9)).rstrip(b"=").decode()


def compiled_planner():
    # The other headers in /usr/include are not for WebAssembly.
    includes = BUILD / "include"
    includes.mkdir(parents=True, exist_ok=True)
    for name in ("fmt", "nlohmann"):
        if not (includes / name).exists():
            (includes / name).symlink_to(pathlib.Path("/usr/include") / name)
    sources = [path for path in found(*PLANNER) if path.name not in NOT_SHOWN]
    module = BUILD / "planner.wasm"
    run(PYTHON, "-m", "ziglang", "c++", "-target", "wasm32-wasi", "-mexec-model=reactor", "-std=c++20", "-Os", "-s",
        "-DFMT_HEADER_ONLY", "-DFMT_STATIC_THOUSANDS_SEPARATOR=','", "-isystem", includes,
        *(f"-I{ROOT / folder}" for folder in INCLUDED), *sources, "-o", module,
        env={**os.environ, "ZIG_GLOBAL_CACHE_DIR": str(BUILD / "zig"), "ZIG_LOCAL_CACHE_DIR": str(BUILD / "zig")})
    return module.read_bytes()


def record_of(command, source):
    return bytes.fromhex(run(command, "topology", "--format", "record", "--machine", source, cwd=ROOT))


def write_planner(command):
    machines = [{"group": group, "name": name, "title": title, "record": packed(record_of(command, source))}
                for group, name, title, source in MACHINES]
    (PAGES / "planner.js").write_text(f'"use strict";\nconst nestbindModule = "{packed(compiled_planner())}";\n'
                                      f"const nestbindMachines = {json.dumps(machines, indent=1)};\n")


def configuration(manual):
    """Returns the configuration of MkDocs. With this configuration, no page loads files from another host."""
    return {
        "site_name": "nestbind", "docs_dir": str(PAGES), "site_dir": str(SITE), "use_directory_urls": False, "strict": True,
        "theme": {"name": "material", "font": False, "features": ["navigation.tabs", "content.code.copy"],
                  "palette": [{"media": "(prefers-color-scheme)", "toggle": {"icon": "material/brightness-auto", "name": "Light"}},
                              {"media": "(prefers-color-scheme: light)", "scheme": "default",
                               "toggle": {"icon": "material/weather-night", "name": "Dark"}},
                              {"media": "(prefers-color-scheme: dark)", "scheme": "slate",
                               "toggle": {"icon": "material/weather-sunny", "name": "As the system"}}]},
        "plugins": ["search", "offline"],
        "extra": {"generator": False, "polyfills": ["iframe-worker.js"]}, "extra_css": ["manual.css"],
        "markdown_extensions": ["attr_list", "tables", "sane_lists", "pymdownx.superfences", {"toc": {"permalink": True, "toc_depth": 3}}],
        "validation": {"anchors": "warn"}, "nav": [*NAVIGATION[:3], manual, *NAVIGATION[3:]],
    }


def make(command):
    shutil.rmtree(PAGES, ignore_errors=True)
    print("tools from PyPI, half a gigabyte at the first time ...", flush=True)
    install_tools()
    print("pages and manual ...", flush=True)
    copy_pages()
    manual = write_manual()
    write_pages()
    print("the planner, some minutes at the first time ...", flush=True)
    write_planner(command)
    print("MkDocs ...", flush=True)
    (BUILD / "mkdocs.yml").write_text(json.dumps(configuration(manual)))
    run(PYTHON, "-m", "mkdocs", "build", "-q", "-f", BUILD / "mkdocs.yml", env={**os.environ, "NO_MKDOCS_2_WARNING": "1"})
    print(SITE / "index.html")


if __name__ == "__main__":
    make(str(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "build" / "gcc" / "bin" / "nestbind").resolve()))
