# SPDX-License-Identifier: BSD-3-Clause
"""The process that run.py starts. It runs all workloads with the PyPI packages, and prints JSON. The output has a digest and the seconds of
each workload. It also has the numbers of processors that the libraries find, and the loaded runtimes."""
import hashlib
import json
import multiprocessing
import os
import sys
import time

import joblib
import lightgbm
import numpy
import scipy.linalg
import scipy.ndimage
import xgboost
from sklearn.cluster import KMeans
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.metrics import pairwise_distances_argmin_min

THREADS = 2
REPEATED = 10  # runs of a workload; the fastest counts, because threads of the previous workload still spin during the first runs
RANDOM = numpy.random.default_rng(12)
X = RANDOM.normal(size=(6000, 20))
Y = (X[:, 0] * X[:, 1] + X[:, 2] > 0).astype(int)
SQUARE = RANDOM.normal(size=(600, 600))


def numpy_product():
    return SQUARE @ SQUARE.T


def scipy_eigenvalues():
    return scipy.linalg.eigvalsh(SQUARE[:300, :300] + SQUARE[:300, :300].T)


def scipy_filter():
    return scipy.ndimage.gaussian_filter(SQUARE, 5)


def sklearn_clusters():
    return KMeans(8, n_init=2, max_iter=30, random_state=1).fit(X).cluster_centers_


def sklearn_boosting():
    return HistGradientBoostingClassifier(max_iter=20, random_state=1).fit(X, Y).predict_proba(X)


def sklearn_neighbours():
    return pairwise_distances_argmin_min(X[:3000], X[3000:])[1]


def sklearn_forest():
    return RandomForestClassifier(20, n_jobs=-1, random_state=1).fit(X, Y).predict_proba(X)


def xgboost_trees():
    model = xgboost.train({"max_depth": 5, "nthread": THREADS, "seed": 1}, xgboost.DMatrix(X, Y), 20)
    return model.predict(xgboost.DMatrix(X))


def lightgbm_trees():
    parameters = {"num_threads": THREADS, "seed": 1, "deterministic": True, "force_col_wise": True, "verbose": -1, "objective": "binary"}
    return lightgbm.train(parameters, lightgbm.Dataset(X, Y), 20).predict(X)


def digest_of_product(seed):
    return numpy.random.default_rng(seed).normal(size=(200, 200)) @ SQUARE[:200, :200]


def joblib_processes():
    return numpy.array(joblib.Parallel(n_jobs=-1)(joblib.delayed(digest_of_product)(seed) for seed in range(8)))


WORKLOADS = (numpy_product, scipy_eigenvalues, scipy_filter, sklearn_clusters, sklearn_boosting, sklearn_neighbours, sklearn_forest,
             xgboost_trees, lightgbm_trees, joblib_processes)


def counted():
    """Returns how many processors, threads or processes each library would use."""
    with multiprocessing.Pool() as pool:
        processes = len(pool._pool)  # pylint: disable=protected-access
    return {"affinity": len(os.sched_getaffinity(0)), "os.cpu_count": os.cpu_count(), "joblib": joblib.cpu_count(),
            "n_jobs=-1": joblib.effective_n_jobs(-1), "Pool": processes}


def runtimes():
    with open("/proc/self/maps", encoding="utf-8") as maps:
        files = {line.split()[-1] for line in maps if "/" in line}
    return sorted(file for file in files if "libgomp" in os.path.basename(file) or "libomp" in os.path.basename(file))


def measured(workload):
    seconds = []
    for _ in range(REPEATED):
        begun = time.perf_counter()
        result = workload()
        seconds.append(time.perf_counter() - begun)
    return {"digest": hashlib.sha256(numpy.ascontiguousarray(result).tobytes()).hexdigest()[:16], "seconds": min(seconds)}


def main():
    for workload in WORKLOADS:  # makes all teams and processes before the time of any workload is measured
        workload()
    found = {workload.__name__: measured(workload) for workload in WORKLOADS}
    json.dump({"workloads": found, "counted": counted(), "runtimes": runtimes(), "process": os.getpid()}, sys.stdout)


if __name__ == "__main__":
    main()
