# SPDX-License-Identifier: BSD-3-Clause
"""Tests which devices are beside which ranks: nestbind topology --devices, plan --ranks, run --devices, run --follow, doctor, job, and the
functions that programs call. No device is needed, because dry runs set the variables for the planned machine."""
import ast
import functools
import itertools
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest

import device_machines
import ranks
from device_machines import MACHINES
from ranks import FOLDER, new_job, open_mpi, pals, slurm
from support import COMMAND, INCLUDE, LIBRARY, ROOT, SESSION, TestCase, nestbind

# The files of hwloc's and mpibind's tests, which are compared, too, if they lie beside the repository.
PUBLIC = {"lassen": "real/coral-lassen", "tioga": "real/eas-tioga", "corona": "devices/epyc-corona", "corona-p2": "devices/epyc-corona-p2",
          "g4dn": "devices/g4dnmetal", "pascal": "devices/cts1-pascal"}
REAL = tuple(PUBLIC)
EXPECTED = os.path.join(os.path.dirname(os.path.abspath(__file__)), "devices")
NAMES = ("CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER", "ROCR_VISIBLE_DEVICES", "ZE_AFFINITY_MASK", "ZE_ENABLE_PCI_ID_DEVICE_ORDER", "UCX_NET_DEVICES")
_files = tempfile.mkdtemp(dir=SESSION)


@functools.lru_cache
def xml(name):
    return device_machines.write(name, _files)


def as_list(numbers):
    """[0, 1, 2, 8] as 0-2,8."""
    runs = [list(run) for _, run in itertools.groupby(enumerate(sorted(numbers)), lambda pair: pair[1] - pair[0])]
    return ",".join(f"{run[0][1]}-{run[-1][1]}" if len(run) > 1 else str(run[0][1]) for run in runs)


def cpu_list(text):
    """The inverse of as_list."""
    return [cpu for run in text.split(",") for cpu in range(int(run.split("-")[0]), int(run.split("-")[-1]) + 1)]


def plan(name, count, *more, machine=None):
    process = nestbind("plan", "--ranks", str(count), "--format", "json", "auto", "--machine", machine or xml(name), *more)
    assert process.returncode == 0, process.stderr
    return json.loads(process.stdout)["ranks"]


def names(rank, kind):
    return [device["name"] for device in rank["devices"] if device["kind"] == kind]


class Expected(TestCase):
    def test_expected_files(self):
        """A line for each rank: its number, the number of ranks, processors, GPUs, network cards."""
        for name, public in PUBLIC.items():
            machines = [xml(name), os.path.join(ROOT, "..", "shared", "machines", public + ".xml")]
            with open(os.path.join(EXPECTED, name + ".expected"), encoding="utf-8") as file:
                wanted = file.read().splitlines()
            for machine in filter(os.path.exists, machines):
                lines = [" ".join((f"{rank['local']}/{count}", as_list(rank["cpus"]), ",".join(names(rank, "gpu")), ",".join(names(rank, "nic"))))
                         for count in range(1, 17) for rank in plan(name, count, machine=machine)]
                self.assertEqual(lines, wanted, machine)

    def test_properties(self):
        for name in (*REAL, "ponte", "plain"):
            machine = MACHINES[name]
            beside = {device.pci: machine.beside(device) for device in machine.devices}
            for count in range(1, 17):
                with self.subTest(machine=name, ranks=count):
                    ranks_of = plan(name, count)
                    given = [[device["pci"] for device in rank["devices"] if device["kind"] == "gpu"] for rank in ranks_of]
                    all_gpus = {device.pci for device in machine.devices if device.kind == "gpu"}
                    self.assertEqual(set(itertools.chain(*given)), all_gpus)
                    users = [sum(pci in own for own in given) for pci in all_gpus]
                    for counts in (users, [len(own) for own in given]):
                        self.assertLessEqual(max(counts) - min(counts), 1)
                    is_local = [{pci for pci in all_gpus if beside[pci] & set(rank["cpus"])} for rank in ranks_of]
                    for (a, own), (b, theirs) in itertools.permutations(enumerate(given), 2):
                        for mine, other in itertools.product(own, theirs):
                            self.assertFalse(mine not in is_local[a] and other in is_local[a] and mine in is_local[b], (a, b, mine, other))
                    for rank, local in zip(ranks_of, is_local):
                        for device in rank["devices"]:
                            if device["kind"] == "gpu":
                                self.assertEqual(device["level"] == 0, device["pci"] in local)

    def test_text_has_processors_memory_and_devices(self):
        process = nestbind("plan", "--ranks", "2", "auto", "--machine", xml("pascal"))
        lines = [line for line in process.stdout.splitlines() if line.startswith("rank ")]
        self.assertEqual(len(lines), 2)
        for line, words in zip(lines, (("0-17,36-53", "NUMA node 0", "cuda0", "0000:04:00.0"), ("18-35,54-71", "NUMA node 1", "cuda1"))):
            for word in words:
                self.assertIn(word, line)

    def test_mask_without_processors_beside_the_gpus(self):
        ranks_of = plan("pascal", 2, "--cpus", "18-35")
        self.assertEqual([names(rank, "gpu") for rank in ranks_of], [["cuda0"], ["cuda1"]])
        self.assertTrue(all(device["level"] > 0 for rank in ranks_of for device in rank["devices"]))

    def test_devices_do_not_change_plans(self):
        """hwloc makes groups for devices, but plans must not depend on them."""
        for name in REAL:
            lines = nestbind("suggest", "--machine", xml(name)).stdout
            self.assertEqual(nestbind("topology", "--coordinates", "--machine", xml(name)).returncode, 0)
            self.assertTrue(lines)


class Shown(TestCase):
    def test_table(self):
        process = nestbind("topology", "--devices", "--machine", xml("lassen"))
        self.assertStatus(process, 0)
        rows = [line.split() for line in process.stdout.splitlines()]
        self.assertIn(["gpu", "cuda2", "0035:03:00.0", "1", "96-175", device_machines.uuid(2)], rows)
        self.assertIn(["nvme", "nvme0n1", "0002:01:00.0", "0", "8-87"], rows)

    def test_json(self):
        found = json.loads(nestbind("topology", "--devices", "--json", "--machine", xml("tioga")).stdout)
        first = found[0]
        self.assertEqual((first["kind"], first["name"], first["numa"], first["uuid"]), ("gpu", "rsmi0", 3, "GPU-4a7c19da329a2b80"))
        self.assertEqual(first["cpus"], [*range(48, 56), *range(112, 120)])

    def test_machines_without_devices(self):
        for machine, word in ((xml("empty"), "lstopo"), ("pack:2 core:2 pu:1", "synthetic")):
            process = nestbind("topology", "--devices", "--machine", machine)
            self.assertStatus(process, 1)
            self.assertIn(word, process.stderr)
            self.assertEqual(process.stdout, "")

    def test_pictures(self):
        for form in ("picture", "svg"):
            process = nestbind("plan", "2,scatter", "--format", form, "--machine", xml("lassen"), env={"LC_ALL": "C.UTF-8", "COLUMNS": "120"})
            self.assertStatus(process, 0)
            for name in ("cuda0", "cuda3", "mlx5_2"):
                self.assertIn(name, process.stdout)

    def test_many_devices_leave_the_boxes_in_the_picture(self):
        process = nestbind("plan", "2,scatter", "--format", "picture", "--machine", xml("many"), env={"LC_ALL": "C.UTF-8", "COLUMNS": "80"})
        self.assertIn("cuda4-7, mlx5_5-9", process.stdout)
        self.assertEqual(process.stdout.count("\u250c"), 2, process.stdout)

    def test_this_machine(self):
        """Reads the devices of this machine. Which ones it has is not known."""
        process = nestbind("topology", "--devices")
        self.assertIn(process.returncode, (0, 1))
        self.assertEqual(bool(process.stdout), process.returncode == 0)


class Run(TestCase):
    def ranks(self, machine, of, *options, env=None, launcher=open_mpi, own=None, program=None):
        """Starts ranks at the same time. Returns for each the variables that it has, and its messages."""
        job = new_job()
        words = program or ["sh", "-c", "env"]
        started = []
        for local in range(of):
            more = {**(env or {}), **(own(local) if own else {})}
            started.append(subprocess.Popen(
                [COMMAND, "run", *options, "--machine", xml(machine), "--", *words],
                env=ranks.environment(**launcher(local, of, job), **more), stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8"))
        told = [process.communicate(timeout=60) for process in started]
        self.assertEqual([process.returncode for process in started], [0] * of, [errors for _, errors in told])
        variables = [dict(line.split("=", 1) for line in out.splitlines() if line.split("=")[0] in NAMES) for out, _ in told]
        return variables, [errors for _, errors in told]

    def values(self, *arguments, **more):
        return [sorted(found.items()) for found in self.ranks(*arguments, **more)[0]]

    def test_uuids_of_nvidia(self):
        wanted = [[("CUDA_VISIBLE_DEVICES", device_machines.uuid(i))] for i in range(4)]
        for launcher in ranks.LAUNCHERS.values():
            self.assertEqual(self.values("lassen", 4, "--devices=gpu", launcher=launcher), wanted)
        self.assertEqual(self.values("lassen", 2, env={"NESTBIND_DEVICES": "gpu"}),
                         [[("CUDA_VISIBLE_DEVICES", ",".join(map(device_machines.uuid, pair)))] for pair in ((0, 1), (2, 3))])

    def test_the_last_rank_removes_the_file(self):
        before = set(os.listdir(FOLDER))
        self.ranks("lassen", 2, "--devices=gpu", program=["sleep", "1"])
        self.assertEqual(set(os.listdir(FOLDER)) - before, set())

    def test_numbers_without_uuids(self):
        self.assertEqual(self.values("plain", 2, "--devices=gpu"),
                         [[("CUDA_DEVICE_ORDER", "PCI_BUS_ID"), ("CUDA_VISIBLE_DEVICES", pair)] for pair in ("0,1", "2,3")])
        self.assertEqual(self.values("ponte", 4, "--devices=gpu"),
                         [[("ZE_AFFINITY_MASK", str(i)), ("ZE_ENABLE_PCI_ID_DEVICE_ORDER", "1")] for i in range(4)])

    def test_amd(self):
        found = self.values("tioga", 4, "--devices=gpu")
        pairs = ((4, 5), (2, 3), (6, 7), (0, 1))  # by NUMA node
        self.assertEqual(found, [[("ROCR_VISIBLE_DEVICES", ",".join(f"GPU-{0x4a7c19da329a2b80 + i:016x}" for i in pair))] for pair in pairs])
        variables, errors = self.ranks("corona", 4, "--devices=gpu")
        self.assertEqual(variables, [{}] * 4)
        self.assertEqual([("UUID" in text) for text in errors], [True, False, False, False])

    def test_network_cards(self):
        self.assertEqual([found["UCX_NET_DEVICES"] for found in self.ranks("lassen", 4, "--devices=gpu,nic")[0]],
                         ["mlx5_0:1", "mlx5_1:1", "mlx5_2:1", "mlx5_3:1"])
        self.assertEqual([found["UCX_NET_DEVICES"] for found in self.ranks("tioga", 4, "--devices=nic")[0]], ["hsi2", "hsi1", "hsi3", "hsi0"])

    def test_more_ranks_than_gpus(self):
        found = [value[0][1] for value in self.values("lassen", 8, "--devices=gpu")]
        self.assertEqual(found, [device_machines.uuid(i // 2) for i in range(8)])

    def test_missing_ranks_count(self):
        job = new_job()
        process = nestbind("run", "--devices=gpu", "--machine", xml("lassen"), "--", "sh", "-c", "echo $CUDA_VISIBLE_DEVICES",
                           env={**pals(1, 4, job), "NESTBIND_PUBLISH": FOLDER})
        self.assertEqual(process.stdout.strip(), device_machines.uuid(1))

    def test_one_process_has_all(self):
        process = nestbind("run", "--devices=gpu", "--machine", xml("plain"), "--", "sh", "-c", "echo $CUDA_VISIBLE_DEVICES")
        self.assertEqual(process.stdout.strip(), "0,1,2,3")

    def test_value_that_is_set_already(self):
        for value, wanted in (("2,3", ["2", "3"]), ("3,1", ["1", "3"]), (device_machines.uuid(1) + ",2", [device_machines.uuid(1), "2"])):
            found = self.values("lassen", 2, "--devices=gpu", env={"CUDA_VISIBLE_DEVICES": value})
            self.assertEqual(found, [[("CUDA_VISIBLE_DEVICES", one)] for one in wanted], value)
        # The launcher has given each rank its own GPUs.
        own = self.values("lassen", 2, "--devices=gpu", own=lambda local: {"CUDA_VISIBLE_DEVICES": ("2,3", "0,1")[local]})
        self.assertEqual(own, [[("CUDA_VISIBLE_DEVICES", "2,3")], [("CUDA_VISIBLE_DEVICES", "0,1")]])
        self.assertEqual(self.values("lassen", 1, "--devices=gpu", env={"CUDA_VISIBLE_DEVICES": "3,0,2"}), [[("CUDA_VISIBLE_DEVICES", "3,0,2")]])

    def test_a_gpu_that_is_set_twice_is_one(self):
        """CUDA shows no GPU at all if one comes twice."""
        self.assertEqual(self.values("lassen", 2, "--devices=gpu", env={"CUDA_VISIBLE_DEVICES": "0,0," + device_machines.uuid(1) + ",1"}),
                         [[("CUDA_VISIBLE_DEVICES", "0")], [("CUDA_VISIBLE_DEVICES", device_machines.uuid(1))]])

    def test_a_machine_without_the_wished_devices(self):
        _, errors = self.ranks("ponte", 2, "--devices=nic")
        self.assertEqual([error.count("no such device") for error in errors], [1, 0])
        self.assertNotIn("no such device", "".join(self.ranks("ponte", 2, "--devices=gpu,nic")[1]))

    def test_network_cards_are_divided_if_the_gpus_are_already(self):
        found = self.ranks("lassen", 4, "--devices=gpu,nic", own=lambda local: {"CUDA_VISIBLE_DEVICES": str(local)})[0]
        self.assertEqual([one["UCX_NET_DEVICES"] for one in found], [f"mlx5_{i}:1" for i in range(4)])

    def test_numbers_of_a_step_of_slurm(self):
        report = os.path.join(self.folder, "step-%r")
        for step, value, wanted, devices in (("2,3", "0,1", ["0", "1"], ["cuda2", "cuda3"]), ("3", "0", ["0", "0"], ["cuda3", "cuda3"])):
            program = self.compile("forking", "-fopenmp")
            self.ranks("lassen", 2, "--devices=gpu", "--report=json:" + report, "2,scatter", launcher=slurm,
                       env={"CUDA_VISIBLE_DEVICES": value, "SLURM_STEP_GPUS": step}, program=["sh", "-c", program + "; true"])
            found = []
            for rank in (2, 3):
                with open(report.replace("%r", str(rank)), encoding="utf-8") as file:
                    found.append(json.loads(file.readline())["devices"])
            self.assertEqual([one["given"] for one in found], [[name] for name in devices])
            self.assertTrue(all("CUDA_VISIBLE_DEVICES=" + value in one["remark"] for one in found))
            values = self.values("lassen", 2, "--devices=gpu", launcher=slurm, env={"CUDA_VISIBLE_DEVICES": value, "SLURM_STEP_GPUS": step})
            self.assertEqual(values, [[("CUDA_VISIBLE_DEVICES", one)] for one in wanted])

    def test_values_that_are_not_understood_stay(self):
        for machine, name, value in (("lassen", "CUDA_VISIBLE_DEVICES", "0,9"), ("lassen", "CUDA_VISIBLE_DEVICES", "MIG-GPU-1234/1/0"),
                                     ("lassen", "CUDA_VISIBLE_DEVICES", "GPU-ffff"), ("lassen", "CUDA_VISIBLE_DEVICES", ""),
                                     ("tioga", "ROCR_VISIBLE_DEVICES", "99"), ("ponte", "ZE_AFFINITY_MASK", "0.1")):
            with self.subTest(value=value):
                variables, errors = self.ranks(machine, 2, "--devices=gpu", env={name: value})
                self.assertEqual(variables, [{name: value}] * 2)
                self.assertIn(f"{name}={value}", errors[0])
                self.assertNotIn(name, errors[1])

    def test_numbers_of_hip_stay_right(self):
        """HIP numbers what ROCR_VISIBLE_DEVICES leaves."""
        for other in ("HIP_VISIBLE_DEVICES", "CUDA_VISIBLE_DEVICES"):
            for own in ({}, {"ROCR_VISIBLE_DEVICES": "0,1,2,3"}):
                variables, errors = self.ranks("tioga", 2, "--devices=gpu", env={other: "2,3", **own})
                self.assertEqual([one.get("ROCR_VISIBLE_DEVICES") for one in variables], [own.get("ROCR_VISIBLE_DEVICES")] * 2)
                self.assertIn(other, errors[0])
        alike = dict.fromkeys(("ROCR_VISIBLE_DEVICES", "CUDA_VISIBLE_DEVICES", "GPU_DEVICE_ORDINAL"), "0,1,2,3")  # by Slurm
        self.assertEqual([one["ROCR_VISIBLE_DEVICES"] for one in self.ranks("tioga", 2, "--devices=gpu", env=alike)[0]], ["2,3", "0,1"])

    def test_the_report_is_json_with_any_value(self):
        report = os.path.join(self.folder, "quotes")
        program = self.compile("forking", "-fopenmp")
        self.ranks("lassen", 1, "--devices=gpu", "--report=json:" + report, "2,scatter", env={"CUDA_VISIBLE_DEVICES": 'a"b\\'},
                   program=["sh", "-c", program + "; true"])
        with open(report, encoding="utf-8") as file:
            self.assertEqual(json.loads(file.readline())["devices"]["given"], [])

    def test_machine_without_devices(self):
        variables, errors = self.ranks("empty", 2, "--devices=gpu,nic")
        self.assertEqual(variables, [{}, {}])
        self.assertIn("lstopo", errors[0])

    def test_refused(self):
        for words in (["--devices=gpu", "--print-env"], ["--follow=gpu", "--print-env"], ["--devices=gpu", "--follow=gpu", "--", "true"],
                      ["--devices=cpu", "--", "true"], ["--follow=nic", "--", "true"]):
            self.assertStatus(nestbind("run", *words), 2)

    def test_follow_in_a_dry_run(self):
        for name, value, words in (("CUDA_VISIBLE_DEVICES", "2", "96-175"), ("CUDA_VISIBLE_DEVICES", "0,3", "8-87,96-175")):
            # The option wins over the variable for the other direction, which a site may have set.
            process = nestbind("run", "--follow=gpu", "--machine", xml("lassen"), "--", "true", env={name: value, "NESTBIND_DEVICES": "gpu"})
            self.assertStatus(process, 0)
            self.assertIn(f"processors {words}\n", process.stderr)

    def test_places_follow_in_a_dry_run(self):
        report = os.path.join(self.folder, "followed-%r")
        program = self.compile("forking", "-fopenmp")
        for machine, values, wanted in (("lassen", "2", ["96-175"]), ("lassen", "12", ["8-87", "96-175"]),
                                        ("lassen", "202", ["96-135", "8-87", "136-175"]), ("pascal", "00", ["0-8,36-44", "9-17,45-53"])):
            with self.subTest(values, machine=machine):
                self.ranks(machine, len(values), "--follow=gpu", "--report=json:" + report, "2,scatter",
                           own=lambda local, values=values: {"CUDA_VISIBLE_DEVICES": values[local]}, program=["sh", "-c", program + "; true"])
                for rank, cpus in enumerate(wanted):
                    with open(report.replace("%r", str(rank)), encoding="utf-8") as file:
                        found = json.loads(file.readline())
                    self.assertEqual(as_list(itertools.chain(*(core["cpus"] for core in found["node"]["cores"]))), cpus)
                    self.assertLessEqual({cpu for thread in found["threads"] for cpu in thread["cpus"]}, set(cpu_list(cpus)))
                    os.remove(report.replace("%r", str(rank)))

    def test_ranks_without_gpus_keep_their_masks(self):
        for env in ({}, {"CUDA_VISIBLE_DEVICES": "7"}):
            process = nestbind("run", "--follow=gpu", "--", "sh", "-c", "taskset -cp $$", env=env)
            self.assertStatus(process, 0)
            self.assertEqual(process.stderr.count("keeps its mask"), 1)
            self.assertEqual(set(cpu_list(process.stdout.split(":")[1].strip())), os.sched_getaffinity(0))

    def test_report_and_job(self):
        report = os.path.join(self.folder, "report-%r")
        program = self.compile("forking", "-fopenmp")
        done = ["sh", "-c", program + "; true"]
        _, errors = self.ranks("lassen", 2, "--devices=gpu,nic", "--report=text", "2,scatter", program=done)
        self.assertIn("devices: cuda0, cuda1, mlx5_0, mlx5_1\n", errors[0])
        self.ranks("lassen", 2, "--devices=gpu,nic", "--report=json:" + report, "2,scatter", program=done)
        told = nestbind("job", *(report.replace("%r", str(rank)) for rank in (0, 1)))
        self.assertIn("cuda2, cuda3, mlx5_2, mlx5_3", told.stdout)
        told = json.loads(nestbind("job", "--json", *(report.replace("%r", str(rank)) for rank in (0, 1))).stdout)
        self.assertEqual([rank["devices"] for rank in told["ranks"]],
                         [["cuda0", "cuda1", "mlx5_0", "mlx5_1"], ["cuda2", "cuda3", "mlx5_2", "mlx5_3"]])

    def test_doctor(self):
        told = nestbind("doctor", env={"NESTBIND_MACHINE": xml("lassen"), **open_mpi(0, 4, "job")})
        self.assertIn("all 4 ranks", re.sub(r"\s+", " ", told.stdout))
        self.assertIn("cuda0 (0004:04:00.0)", re.sub(r"\s+", " ", told.stdout))
        told = nestbind("doctor", env={"NESTBIND_MACHINE": xml("corona"), **open_mpi(0, 4, "job")})  # --devices cannot set the variable there
        self.assertRegex(re.sub(r"\s+", " ", told.stdout), "all 4 ranks.*UUIDs")
        self.assertNotIn("--devices=gpu gives", re.sub(r"\s+", " ", told.stdout))
        told = nestbind("doctor", env={"NESTBIND_MACHINE": xml("lassen"), "CUDA_VISIBLE_DEVICES": "0", **open_mpi(0, 4, "job")})
        self.assertNotIn("all 4 ranks", re.sub(r"\s+", " ", told.stdout))

    def test_launchers(self):
        """The ranks of real launchers read the variables back."""
        wanted = sorted(device_machines.uuid(i) for i in range(4))
        started = 0
        for launcher, options in (("mpirun.openmpi", ["--oversubscribe", "--bind-to", "none"]), ("mpiexec.mpich", ["-bind-to", "none"])):
            if shutil.which(launcher) is None:
                continue
            started += 1
            done = subprocess.run([launcher, *options, "-n", "4", COMMAND, "run", "--devices=gpu", "--machine", xml("lassen"), "--", "sh", "-c",
                                   "echo $CUDA_VISIBLE_DEVICES"], capture_output=True, encoding="utf-8", timeout=60,
                                  env=ranks.environment(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1"), stdin=subprocess.DEVNULL)
            self.assertEqual(sorted(done.stdout.split()), wanted, (launcher, done.stderr))
        if started == 0:
            self.skipTest("there is no launcher")


class Record:
    """A file of the machine's cache. Its numbers have 32 bits; a list is its length and its members."""

    def __init__(self, path):
        self.path = path
        with open(path, "rb") as file:
            data = file.read()
        self.head, self.key = data[:16], data[24:32 + int.from_bytes(data[24:32], "little")]
        self.numbers = list(struct.unpack(f"{(len(data) - 24 - len(self.key)) // 4}i", data[24 + len(self.key):]))

    def list_end(self, at):
        return at + 1 + self.numbers[at]

    def lists_end(self, at):
        end = at + 1
        for _ in range(self.numbers[at]):
            end = self.list_end(end)
        return end

    def with_gpus(self, processors):
        """Replaces the devices: a GPU beside each of these positions of processors."""
        at = self.list_end(self.list_end(self.list_end(0))) + 1
        at = self.lists_end(at + 1 + 6 * self.numbers[at] - 3)
        at = self.lists_end(self.lists_end(self.list_end(at)))
        numbers = [*self.numbers[:at], 1, len(processors)]
        for i, processor in enumerate(processors):
            texts = (f"cuda{i}", f"0000:0{i}:00.0", device_machines.uuid(i))
            numbers += [0, device_machines.NVIDIA, 0, *(number for text in texts for number in (len(text), *text.encode())), 0, 1, processor]
        body = self.key + struct.pack(f"{len(numbers)}i", *numbers)
        mask = (1 << 64) - 1
        value = (0xcbf29ce484222325 + len(body)) & mask
        for word in range(0, len(body), 8):
            value = ((value ^ int.from_bytes(body[word:word + 8], "little")) * 0x9e3779b97f4a7c15) & mask
            value ^= value >> 32
        with open(self.path, "wb") as file:
            file.write(self.head + value.to_bytes(8, "little") + body)


@unittest.skipIf(len(ranks.CPUS) < 2, "one processor cannot be divided")
class Here(TestCase):
    """This machine, with two GPUs in its cached record: one beside each of the first two processors."""

    def setUp(self):
        self.cache = os.path.join(self.folder, "cache")
        self.env = {"NESTBIND_CACHE": self.cache}
        self.assertStatus(nestbind("run", "--devices=gpu", "--", "true", env=self.env), 0)
        (name,) = os.listdir(self.cache)
        Record(os.path.join(self.cache, name)).with_gpus([0, 1])

    def masks(self, values, *options):
        job = new_job()
        started = [subprocess.Popen([COMMAND, "run", *options, "--", "sh", "-c", "taskset -cp $$; echo $CUDA_VISIBLE_DEVICES; sleep 0.5"],
                                    env=ranks.environment(**open_mpi(local, len(values), job), **self.env,
                                                          **({"CUDA_VISIBLE_DEVICES": value} if value else {})),
                                    stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8") for local, value in enumerate(values)]
        told = [process.communicate(timeout=60) for process in started]
        return [(cpu_list(re.search(r": (\S+)\n", out).group(1)), out.splitlines()[1]) for out, _ in told], [errors for _, errors in told]

    def test_the_processors_follow_the_gpus(self):
        first, second = ranks.CPUS[:2]
        found, errors = self.masks(["1", "0", "0,1"], "--follow=gpu")
        self.assertEqual(found, [([second], "1"), ([first], "0"), ([first, second], "0,1")])
        self.assertEqual(errors, [""] * 3)
        found, errors = self.masks(["", "7"], "--follow=gpu")
        self.assertEqual(found, [(ranks.CPUS, ""), (ranks.CPUS, "7")])
        self.assertEqual([text.count("keeps its mask") for text in errors], [1, 1])

    def test_gpus_follow_the_processors(self):
        found, _ = self.masks(["", ""], "--devices=gpu")
        self.assertEqual([value for _, value in found], [device_machines.uuid(0), device_machines.uuid(1)])

    def test_a_report_names_devices_in_the_cache(self):
        done = nestbind("run", "--report=text", "2,scatter", "--", self.compile("forking", "-fopenmp"), env=self.env)
        self.assertIn("devices beside the processors: cuda0, cuda1\n", done.stderr)


C = r"""
#include <nestbind/topology.h>
#include <stdio.h>
int main(void) {
  struct nestbind_device found[8];
  int slot, i;
  for (slot = -1; slot < 40; slot += 20) {
    const int count = nestbind_devices(NESTBIND_GPU, slot, found, 8);
    printf("%d %d:", slot, count);
    for (i = 0; i < count && i < 8; ++i)
      printf(" %d %s %s %s %d %d", found[i].kind, found[i].name, found[i].pci, found[i].uuid, found[i].numa, found[i].level);
    printf("\n");
  }
  printf("%d %d %d %d %d\n", nestbind_devices(0, -1, found, 8), nestbind_devices(4, -1, found, 8), nestbind_devices(NESTBIND_GPU, -1, 0, 1),
         nestbind_devices(NESTBIND_GPU, 1000, found, 8), nestbind_devices(NESTBIND_NIC, 0, 0, 0));
  return 0;
}
"""

FORTRAN = """
program test
  use, intrinsic :: iso_c_binding
  use nestbind_topology
  type(nestbind_device) :: found(4)
  print '(i0,1x,5a1)', nestbind_devices(nestbind_gpu, 0_c_int, found, 4_c_int), found(2)%name(1:5)
end program
"""

PYTHON = "import nestbind; print([tuple(one) for one in nestbind.devices('gpu', 39)], len(nestbind.devices('nic')))"


class Calls(TestCase):
    def test_c(self):
        program = self.compile("calls", "-I" + INCLUDE, LIBRARY, "-Wl,-rpath," + os.path.dirname(LIBRARY), source=C)
        done = nestbind("run", "--machine", xml("lassen"), "auto", "--", program)
        self.assertStatus(done, 0)
        u = device_machines.uuid
        first, second = (" ".join(f"1 cuda{i} {pci} {u(i)} {node} 0" for i, pci in pair)
                         for node, pair in enumerate((((0, "0004:04:00.0"), (1, "0004:05:00.0")), ((2, "0035:03:00.0"), (3, "0035:04:00.0")))))
        self.assertEqual(done.stdout.splitlines(), [f"-1 4: {first} {second}", f"19 2: {first}", f"39 2: {second}", "-1 -1 -1 -1 3"])

    def test_fortran(self):
        if shutil.which("gfortran") is None:
            self.skipTest("there is no gfortran")
        source = self.file("test.f90", FORTRAN)
        modules = [os.path.join(INCLUDE, "nestbind", name) for name in ("nestbind.f90", "nestbind_topology.f90")]
        program = os.path.join(self.folder, "fortran")
        subprocess.run(["gfortran", *modules, source, LIBRARY, "-Wl,-rpath," + os.path.dirname(LIBRARY), "-o", program], check=True, cwd=self.folder)
        done = nestbind("run", "--machine", xml("lassen"), "auto", "--", program)
        self.assertEqual(done.stdout.split(), ["2", "cuda1"])

    def test_python(self):
        done = nestbind("run", "--machine", xml("lassen"), "auto", "--", sys.executable, "-c", PYTHON,
                        env={"PYTHONPATH": os.path.join(ROOT, "packaging", "python"), "NESTBIND_QUIET": "1"})
        self.assertStatus(done, 0)
        u = device_machines.uuid
        devices, nics = ast.literal_eval("(" + done.stdout.strip().replace("] ", "], ") + ")")
        self.assertEqual(devices, [("gpu", "cuda2", "0035:03:00.0", u(2), 1, 0), ("gpu", "cuda3", "0035:04:00.0", u(3), 1, 0)])
        self.assertEqual(nics, 5)


if __name__ == "__main__":
    unittest.main()
