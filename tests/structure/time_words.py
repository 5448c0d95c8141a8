# SPDX-License-Identifier: BSD-3-Clause
"""Checks that README.md, CHANGELOG.md, docs/, manual pages and messages say "after" and "before" for time, not "behind"."""

import re

# Texts in which "behind" is allowed.
PERMITTED = (
    "behind which the kernel's balancing leaves it alone",
    "behind a program's back",
    "behind 30 intervals",
    "behind each such look",
    "behind the fork",
    "pages stay behind",
    "behind a memory controller",
    "a call behind it",
    "behind the initialisation",
    "behind the same address",
    "behind the program's back",
)
MOST = 12  # uses that are allowed in all texts together

USE = re.compile(r"\b(?:behind|in front of)\b", re.I)
STRING_OR_COMMENT = re.compile(r'"(?:[^"\\\n]|\\.)*"|//.*')


def read_by_people(name, text):
    """Returns the part of a file that people read: the whole page, or the strings of a source."""
    if name in ("README.md", "CHANGELOG.md") or re.match(r"docs/.*\.(?:md|[1-9])$", name):
        return text
    if re.match(r"(?:cli|lib|instrument)/.*\.[ch]pp$", name):
        return "\n".join(part for part in STRING_OR_COMMENT.findall(text) if part.startswith('"'))
    return ""


def faults(texts):
    """Returns a fault for each use of such words."""
    uses = [(name, line) for name, text in texts for line in read_by_people(name, text).splitlines() if USE.search(line)]
    for name, line in uses:
        if not any(words in line.lower() for words in PERMITTED):
            yield f"{name}: after or before, in place of: {line.strip()}"
    if len(uses) > MOST or len(PERMITTED) > MOST:
        yield f"{len(uses)} lines say behind, more than {MOST}"
