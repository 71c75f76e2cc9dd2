"""Runs a model in real TFLM, all tensors preserved: a program of its own, so that a crash in there is a message here.

F7. `python tflm.py FOLDER` reads `model.tflite` and `inputs.npz` there and writes `tensors.npz`. It imports nothing of
ours, and is the only home of `tflite_micro`. In `inputs.npz`, `places` has a row (subgraph, tensor) for everything that
is wanted,
`arena` the bytes that TFLM gets, `count` how many invocations there are, and `I_N` what input N is in invocation I; in
`tensors.npz`, `I_P` is what place P held after invocation I. Exit codes: 3 TFLM does not load the model, 4 it does not
run it, 6 it is not installed; what it says goes to standard error.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

LOADS_NOT, RUNS_NOT, NOT_INSTALLED = 3, 4, 6
MODEL, INPUTS, TENSORS = "model.tflite", "inputs.npz", "tensors.npz"


def main(folder: Path) -> int:
    try:
        from tflite_micro.python.tflite_micro import runtime
    except ImportError as error:
        print(error, file=sys.stderr)
        return NOT_INSTALLED
    given = np.load(folder / INPUTS)
    try:
        interpreter = runtime.Interpreter.from_bytes(
            (folder / MODEL).read_bytes(),
            arena_size=int(given["arena"]),
            intrepreter_config=runtime.InterpreterConfig.kPreserveAllTensors,
        )
    except (RuntimeError, ValueError) as error:
        print(error, file=sys.stderr)
        return LOADS_NOT
    held = {}
    for invocation in range(int(given["count"])):
        prefix = f"{invocation}_"
        try:
            for name in given.files:
                if name.startswith(prefix):
                    interpreter.set_input(given[name], int(name.removeprefix(prefix)))
            interpreter.invoke()
        except (RuntimeError, ValueError) as error:
            print(error, file=sys.stderr)
            return RUNS_NOT
        for place, (subgraph, tensor) in enumerate(given["places"].tolist()):
            held[f"{invocation}_{place}"] = interpreter.GetTensor(tensor, subgraph)["tensor_data"]
    np.savez(folder / TENSORS, **held)
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
