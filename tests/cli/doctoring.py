# SPDX-License-Identifier: BSD-3-Clause
"""Functions for the tests of nestbind doctor."""
from support import TestCase, nestbind


def doctor(program, **keywords):
    return nestbind("doctor", program, **keywords)


def topics(process):
    """Returns {topic: [its lines]}."""
    found = {}
    for line in process.stdout.splitlines():
        if line and line[0] != " ":
            topic, text = line.split(None, 1)
            found.setdefault(topic, []).append(text)
    return found


class Doctor(TestCase):
    def assert_bound(self, process, hook):
        self.assertStatus(process, 0)
        found = topics(process)
        self.assertEqual(found["hook"], [hook])
        self.assertNotIn("problem", found)
        self.assertIn("binding will work", found["verdict"][0])

    def assert_not_bound(self, process, problem):
        self.assertStatus(process, 1)
        self.assertIn(problem, " ".join(topics(process)["problem"]))
        self.assertIn("will not be bound", topics(process)["verdict"][0])
