# SPDX-License-Identifier: BSD-3-Clause
"""Tests the command's messages about words that it refuses, and its suggestions."""
import os
import shutil
import unittest

from support import LIBRARY, TestCase, nestbind


class Words(TestCase):
    def assert_told(self, process, status, *told):
        self.assertStatus(process, status)
        self.assertEqual(process.stdout, "")
        self.assertEqual(process.stderr.count("\n"), 1, process.stderr)
        for text in told:
            self.assertIn(text, process.stderr)

    def test_options_of_the_command_itself(self):
        self.assert_told(nestbind("--versoin"), 2, "there is no option --versoin; did you mean --version?")
        self.assert_told(nestbind("--hlep", "run"), 2, "did you mean --help?")
        self.assert_told(nestbind("-x"), 2, "there is no option -x (nestbind --help lists them)")

    def test_a_specification_taken_as_an_options_value(self):
        for option in ("--sizes", "--smt", "--cores"):
            with self.subTest(option):
                told = f"{option} 4,scatter: expected " + ("set or ignore" if option == "--sizes" else "")
                self.assert_told(nestbind("run", option, "4,scatter", "--", "true"), 2, told)

    def test_a_specification_of_several_words(self):
        for words, whole in ((("2,scatter,", "4,compact", "--", "true"), "2,scatter, 4,compact"),
                             (("2,scatter", "4,compact", "--", "true"), "2,scatter, 4,compact"),
                             (("2", "scatter", "true"), "2, scatter"),
                             (("2,", "scatter,", "2", ",compact", "true"), "2, scatter, 2 ,compact")):
            with self.subTest(words):
                self.assert_told(nestbind("run", *words), 2, f"nestbind run '{whole}' -- program arguments")

    def test_numbers_beyond_their_range(self):
        for words, told in ((("plan", "--ranks", "0", "2,scatter"), ("--ranks", " 0 ", " 1 ", " 4096")),
                            (("plan", "--ranks", "1.5", "2,scatter"), ("--ranks", " 1.5 ", " 1 ", " 4096")),
                            (("plan", "--ranks", "x", "2,scatter"), ("--ranks", " x ", " 1 ", " 4096")),
                            (("top", "-d", "nan"), ("--delay", " nan ", " 0.1 ", " 3600"))):
            with self.subTest(words):
                self.assert_told(nestbind(*words), 2, *told)

    def test_a_schedule_instead_of_a_specification(self):
        for words in (("--shedule=hybrid", "--", "true"), ("--shedule", "hybrid", "--", "true")):
            self.assert_told(nestbind("run", *words), 2, "there is no option --shedule; did you mean --schedule?")
        for words in (("--schedule", "--", "true"), ("--schedule=", "--", "true"), ("--schedule",)):
            with self.subTest(words):
                self.assert_told(nestbind("run", *words), 2, "--schedule: no value; expected a schedule of loops, such as hybrid")
        self.assert_told(nestbind("run", "--smt"), 2, "--smt: no value; expected a number from 1 to 1000")
        self.assert_told(nestbind("run", "--cpus", "--", "true"), 2, "--cpus: no value")

    def test_the_schedule_may_come_from_the_environment(self):
        process = nestbind("run", "--library", LIBRARY, "--", "sh", "-c", "echo $NESTBIND_SCHEDULE",
                           env={"NESTBIND_SCHEDULE": "hybrid,f=0.5"})
        self.assertEqual((process.returncode, process.stdout, process.stderr), (0, "hybrid,f=0.5\n", ""))
        self.assert_told(nestbind("run", "true", env={"NESTBIND_SCHEDULE": "hybrid"}), 2,
                         "nestbind run -- true")

    def test_words_of_a_schedule(self):
        for text, meant in (("hybird", "hybrid"), ("Hybird,f=1", "hybrid"), ("nativ", "native"), ("hybrid,tapper", "taper"),
                            ("hybrid,weight=measured", "weights"), ("hybrid,queue=node", "numa"), ("hybrid,queue=socket", "package"),
                            ("hybrid,queue=thred", "thread"), ("hybrid,loops=dynamc", "dynamic"), ("balance", "balanced"),
                            ("balanced,block=8", "blocks"), ("balanced,stael=0", "steal")):
            with self.subTest(text):
                process = nestbind("run", "--schedule", text, "--", "true")
                self.assertStatus(process, 2)
                self.assertTrue(process.stderr.splitlines()[0].endswith(f"; did you mean {meant}?"), process.stderr)
                self.assertEqual(process.stderr.count("\n"), 3, process.stderr)
        for text, told in (("dynamic", "OMP_SCHEDULE"), ("hybrid,f=0,5", "a decimal point, not a comma"),
                           ("hybrid,queue=xyzzy", "package or all"), ("hybrid,f=two", "or auto"), ("", "no value"),
                           ("balanced,f=1", "blocks, every, steal, alpha or loops"), ("balanced,blocks=1", "2 to 1024")):
            with self.subTest(text):
                process = nestbind("run", "--schedule", text, "--", "true")
                self.assertStatus(process, 2)
                self.assertIn(told, process.stderr)
                self.assertNotIn("did you mean", process.stderr)

    def test_dashes_of_the_program(self):
        words = ("sh", "-c", 'echo "$@"', "x", "--", "y")
        self.assert_told(nestbind("run", "2,scatter", *words), 2,
                         "if -- belongs to the program", "nestbind run SPEC -- sh ...")
        process = nestbind("run", "2,scatter", "--", *words)
        self.assertStatus(process, 0)
        self.assertEqual(process.stdout, "-- y\n")

    def test_a_program_of_the_present_folder(self):
        shutil.copy(shutil.which("true"), os.path.join(self.folder, "nestbind-mg"))
        self.file("nestbind-text", "")
        for words, status in ((("doctor",), 1), (("run", "2,scatter"), 127)):
            with self.subTest(words):
                self.assert_told(nestbind(*words, "nestbind-mg", cwd=self.folder), status,
                                 "; did you mean ./nestbind-mg?")
                for other in ("nestbind-text", "nestbind-none"):
                    process = nestbind(*words, other, cwd=self.folder)
                    self.assert_told(process, status, other + ": ")
                    self.assertNotIn("did you mean", process.stderr)

    def test_one_processor_and_several(self):
        for list_, told in (("9999", "no processor 9999 that"), ("8888,9999", "no processors 8888,9999 that"),
                            ("9998-9999", "no processors 9998-9999 that")):
            for words in (("plan", "--cpus", list_, "2,scatter"), ("run", "--cpus", list_, "2,scatter", "--", "true")):
                with self.subTest(words):
                    self.assert_told(nestbind(*words), 2, told)


if __name__ == "__main__":
    unittest.main()
