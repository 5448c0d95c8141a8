#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""pools.py runs this in the guest, with an interpreter that has PyTorch, scikit-learn and threadpoolctl. Each of four threads calls a
library with OpenMP.

usage: pool_programs.py torch|boosting|clusters [LIMIT]
       pool_programs.py files

LIMIT is threadpoolctl's limit in each thread. The argument `files` prints the files that the programs load."""

import contextlib
import glob
import hashlib
import os
import re
import sys
import threading

THREADS = 4
ROUNDS = 3
done = [0] * THREADS


def limit():
    if len(sys.argv) < 3:
        return contextlib.nullcontext()
    import threadpoolctl
    return threadpoolctl.threadpool_limits(int(sys.argv[2]))


def repeated(number, work):
    """Repeats the work on each thread until all threads have done their rounds."""
    with limit():
        while min(done) < ROUNDS:
            result = work()
            done[number] += 1
    return result


def inference():
    import torch
    torch.manual_seed(1)
    layers = [torch.nn.Linear(64, 1024), torch.nn.GELU(), torch.nn.LayerNorm(1024), torch.nn.Linear(1024, 64), torch.nn.Softmax(1)]
    model = torch.nn.Sequential(*layers).eval()
    results = [None] * THREADS

    def work(number):
        data = torch.randn(256, 64, generator=torch.Generator().manual_seed(number))
        with torch.inference_mode():
            results[number] = repeated(number, lambda: model(data)).numpy()

    pool = [threading.Thread(target=work, args=(number,)) for number in range(THREADS)]
    for thread in pool:
        thread.start()
    for thread in pool:
        thread.join()
    return results


def fits(fit):
    import joblib
    import numpy
    points = numpy.random.default_rng(1).normal(size=(THREADS, 4000, 10))
    each = joblib.delayed(lambda number: repeated(number, lambda: fit(points[number])))
    return joblib.Parallel(n_jobs=THREADS, backend="threading")(each(number) for number in range(THREADS))


def boosting():
    from sklearn.ensemble import HistGradientBoostingRegressor
    return fits(lambda one: HistGradientBoostingRegressor(max_iter=4, random_state=1).fit(one[:, 1:], one[:, 0]).predict(one[:, 1:]))


def clusters():
    from sklearn.cluster import KMeans
    return fits(lambda one: KMeans(16, n_init=1, random_state=1).fit(one).cluster_centers_)


def mapped():
    """Yields the file of each loaded library, and all links to this file."""
    with open("/proc/self/maps", encoding="utf-8") as file:
        names = {line.split(None, 5)[-1].strip() for line in file}
    for name in names:
        if name.startswith("/"):
            yield from (link for link in glob.glob(name.split(".so")[0] + "*") if os.path.realpath(link) == name)


def show_files():
    """Prints the paths that the guest needs, one in each line."""
    import joblib
    import sklearn.cluster
    import sklearn.ensemble
    import threadpoolctl
    import torch
    packages = {re.match(".*-packages/[^/]*", module.__file__ or "") for module in list(sys.modules.values()) if hasattr(module, "__file__")}
    print("\n".join(sorted({os.path.dirname(os.__file__), *mapped(), *(found.group() for found in packages if found)})))



if __name__ == "__main__":
    chosen = {"torch": inference, "boosting": boosting, "clusters": clusters}.get(sys.argv[1])
    show_files() if chosen is None else print(hashlib.sha256(b"".join(result.tobytes() for result in chosen())).hexdigest())
