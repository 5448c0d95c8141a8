# SPDX-License-Identifier: BSD-3-Clause
"""A user who exports LD_PRELOAD and a specification for a whole session must notice nothing. Command lines without OpenMP must have the
same exit status and exactly the same output."""
import concurrent.futures
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

from ordinary_commands import LINES, write_files
from support import LIBRARY, environment

NAMES = ("REPORT", "SMT", "CORES", "RUNTIME", "MACHINE", "TEAM_SIZES", "STRICT", "WORKERS", "CACHE", "QUIET", "TRACE")
PRELOAD = {"LD_PRELOAD": LIBRARY, "OMP_NESTING_TEAM_SIZE": "2,scatter,2,subcompact"}
WAYS = {
    "a specification": PRELOAD,
    "empty variables": {**PRELOAD, **{"NESTBIND_" + name: "" for name in NAMES}, "NESTBIND_REPROT": "text"},
}


class Folder:
    """Each worker uses one folder for all runs, because the folder's name may be in the output."""

    def __init__(self, parent):
        self.path = tempfile.mkdtemp(dir=parent)
        self.files = os.path.join(self.path, "files")

    def run(self, line, variables):
        shutil.rmtree(self.files, ignore_errors=True)
        write_files(self.files)
        same = {"HOME": self.path, "LC_ALL": "C", "TZ": "UTC", "PYTHON": sys.executable, "PYTHONDONTWRITEBYTECODE": "1",
                "TMPDIR": self.path, "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@b", "GIT_COMMITTER_NAME": "a",
                "GIT_COMMITTER_EMAIL": "a@b", "GIT_AUTHOR_DATE": "2020-01-01T00:00:00Z", "GIT_CONFIG_NOSYSTEM": "1",
                "GIT_COMMITTER_DATE": "2020-01-01T00:00:00Z", "MAKEFLAGS": "", "PATH": os.environ["PATH"]}
        # bash itself has the preloaded library, too.
        result = subprocess.run(["bash", "-c", line], env=environment(**same, **variables), cwd=self.files, timeout=60,
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        return result.returncode, result.stdout, result.stderr


def differences(folders, line):
    """Returns the differences between the runs of a line, in words."""
    folder = folders.pop()
    try:
        plain = folder.run(line, {})
        return [f"{line}: with {way}: {found}, without: {plain}" for way, variables in WAYS.items()
                if (found := folder.run(line, variables)) != plain]
    finally:
        folders.append(folder)


class Ordinary(unittest.TestCase):
    def test_commands_behave_the_same_with_and_without_nestbind(self):
        self.assertGreaterEqual(len(set(LINES)), 240)
        with tempfile.TemporaryDirectory(prefix="nestbind-ordinary-") as parent:
            workers = max(2, len(os.sched_getaffinity(0)))
            folders = [Folder(parent) for _ in range(workers)]
            with concurrent.futures.ThreadPoolExecutor(workers) as pool:
                wrong = [text for texts in pool.map(lambda line: differences(folders, line), LINES) for text in texts]
        self.assertEqual(wrong, [])


if __name__ == "__main__":
    unittest.main()
