"""What do two trainings from the same start have in common? The mean of their tables, which is better balanced than either.

python -m training.average START MODEL RAW RAW… --numbers NUMBERS
"""

import argparse
import pickle
from pathlib import Path

import numpy as np

from training.export import Trained, write


def mean(trained: list[Trained]) -> Trained:
    """Rows and powers by their mean, weights in queries by the mean of their logarithms, in which they were trained."""
    return Trained(
        rows=np.mean([one.rows for one in trained], axis=0),
        emphasis=np.exp(np.mean([np.log(one.emphasis) for one in trained], axis=0)),
        damping=np.mean([one.damping for one in trained], axis=0),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("start", type=Path)
    parser.add_argument("model", type=Path)
    parser.add_argument("raw", type=Path, nargs="+")
    parser.add_argument("--numbers", type=Path, required=True, help="the numbered pairs that train.py kept")
    parser.add_argument("--name", default="dowse-static-256")
    options = parser.parse_args()
    with np.load(options.start) as file:
        packages, vocabulary = file["packages"], file["vocabulary"].tobytes().decode().split("\n")
    trained = [Trained(**np.load(path)) for path in options.raw]
    write(options.model, options.name, mean(trained), vocabulary, packages, pickle.loads(options.numbers.read_bytes()).passages)


if __name__ == "__main__":
    main()
