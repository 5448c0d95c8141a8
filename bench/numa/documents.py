# SPDX-License-Identifier: BSD-3-Clause
"""Writes tables into documents. A table is the text between the lines `<!-- name -->` and `<!-- end -->`."""

import re


def place(name):
    return re.compile(f"(<!-- {re.escape(name)} -->\n).*?(<!-- end -->)", re.S)


def put(document, contents):
    """Writes each text of `contents` into the document, between the lines with the name of the text."""
    text = document.read_text(encoding="utf-8")
    for name, content in contents.items():
        text, places = place(name).subn(lambda match, new=content: match[1] + new.strip("\n") + "\n" + match[2], text)
        if places == 0:
            raise ValueError(f"{document} has no place for {name}")
    document.write_text(text, encoding="utf-8")
