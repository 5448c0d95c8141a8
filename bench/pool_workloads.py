#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The programs that pools.py runs with an interpreter that has PyTorch, scikit-learn and threadpoolctl. Prints the seconds from the first
call to the end, and a digest of the results.

usage: pool_workloads.py torch|boosting|clusters [LIMIT]      LIMIT: the limit of threadpoolctl in each thread"""

import contextlib
import hashlib
import sys
import threading
import time

THREADS = 4


def limit():
    """Limits only the calling thread."""
    if len(sys.argv) < 3:
        return contextlib.nullcontext()
    import threadpoolctl
    return threadpoolctl.threadpool_limits(int(sys.argv[2]))


def inference():
    """Runs PyTorch in threads of Python."""
    import torch
    torch.manual_seed(1)
    layers = [torch.nn.Linear(512, 1024), torch.nn.GELU(), torch.nn.LayerNorm(1024), torch.nn.Linear(1024, 512), torch.nn.Softmax(1)]
    model = torch.nn.Sequential(*layers).eval()
    inputs = [torch.randn(256, 512, generator=torch.Generator().manual_seed(number)) for number in range(THREADS)]
    results = [None] * THREADS

    def work(number):
        with limit(), torch.inference_mode():
            for _ in range(60):
                results[number] = model(inputs[number])

    def run():
        pool = [threading.Thread(target=work, args=(number,)) for number in range(THREADS)]
        for thread in pool:
            thread.start()
        for thread in pool:
            thread.join()
        return [result.numpy() for result in results]
    return run


def fits(fit):
    """Runs scikit-learn in joblib's threading backend."""
    import joblib
    import numpy
    points = numpy.random.default_rng(1).normal(size=(THREADS, 4000, 20))

    def limited(one):
        with limit():
            return fit(one)
    return lambda: joblib.Parallel(n_jobs=THREADS, backend="threading")(joblib.delayed(limited)(one) for one in points)


def boosting():
    from sklearn.ensemble import HistGradientBoostingRegressor
    return fits(lambda one: HistGradientBoostingRegressor(max_iter=40, random_state=1).fit(one[:, 1:], one[:, 0]).predict(one[:, 1:]))


def clusters():
    from sklearn.cluster import KMeans
    return fits(lambda one: KMeans(16, n_init=4, random_state=1).fit(one).cluster_centers_)


def main():
    run = {"torch": inference, "boosting": boosting, "clusters": clusters}[sys.argv[1]]()
    begun = time.perf_counter()
    results = run()
    seconds = time.perf_counter() - begun
    print(f"{seconds:.6f}", hashlib.sha256(b"".join(result.tobytes() for result in results)).hexdigest())


if __name__ == "__main__":
    main()
