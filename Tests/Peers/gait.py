#!/usr/bin/env python3
"""Compares steps and cadence of recordings at the lower back with mobgap and kielmat, and prints Markdown tables.

    .build/peers/bin/python Tests/Peers/gait.py .build/release/footfall .build/peers/kielmat/bin/python LOG.csv...

A log has the columns time (seconds), x, y, z (g). LOG.steps.csv beside it, if there is one, has the times of the true steps. kielmat
needs numpy 1, so it runs in an environment of its own. Each row has a sentence why; the exit code is 1 if one has none.
"""
import pathlib
import subprocess
import sys
import tempfile
import warnings

import numpy as np
import pandas as pd

RATE, GRAVITY = 100.0, 9.80665


def samples(log):
    """The samples at 100 Hz in m/s^2, with the vertical axis first; the order of the other two has no effect."""
    frame = pd.read_csv(log)
    seconds = frame["time"].to_numpy() - frame["time"].iloc[0]
    times = np.arange(int(seconds[-1] * RATE)) / RATE
    axes = np.column_stack([np.interp(times, seconds, frame[axis]) for axis in "xyz"])
    up = int(np.argmax(np.abs(axes.mean(axis=0))))
    axes = axes[:, [up, (up + 1) % 3, (up + 2) % 3]] * np.sign(axes[:, up].mean())
    return axes * GRAVITY


def mobgap_frame(axes):
    names = ["acc_is", "acc_ml", "acc_pa", "gyr_is", "gyr_ml", "gyr_pa"]
    return pd.DataFrame(np.column_stack([axes, np.zeros_like(axes)]), columns=names)


def mobgap_steps(axes):
    """The initial contacts of mobgap's default pair for healthy persons, in s."""
    from mobgap.gait_sequences import GsdIluz
    from mobgap.initial_contacts import IcdShinImproved

    frame, steps = mobgap_frame(axes), []
    found = GsdIluz().detect(frame, sampling_rate_hz=RATE).gs_list_
    for _, sequence in found.iterrows():
        part = frame.iloc[int(sequence.start) : int(sequence.end)].reset_index(drop=True)
        contacts = IcdShinImproved().detect(part, sampling_rate_hz=RATE).ic_list_
        steps += [(sequence.start + ic) / RATE for ic in contacts["ic"]]
    return np.sort(steps)


def kielmat_steps(axes):
    """The initial contacts of kielmat, in s. Called in its own environment."""
    from kielmat.modules.gsd import ParaschivIonescuGaitSequenceDetection
    from kielmat.modules.icd import ParaschivIonescuInitialContactDetection

    frame = pd.DataFrame(axes / GRAVITY, columns=["LowerBack_ACCEL_x", "LowerBack_ACCEL_y", "LowerBack_ACCEL_z"])
    sequences = ParaschivIonescuGaitSequenceDetection().detect(frame, sampling_freq_Hz=RATE).gait_sequences_
    if sequences.empty:
        return np.array([])
    contacts = ParaschivIonescuInitialContactDetection().detect(
        frame, sampling_freq_Hz=RATE, v_acc_col_name="LowerBack_ACCEL_x", gait_sequences=sequences).initial_contacts_
    return np.sort(contacts["onset"].dropna().to_numpy())


def footfall_steps(footfall, log, folder):
    subprocess.run([footfall, "analyze", log, "--tables", folder, "--placement", "lower-back", "--unit", "g"], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    (steps,) = pathlib.Path(folder).rglob("steps.csv")
    return pd.read_csv(steps)["offset"].to_numpy()


def cadence(steps):
    """The median steps per minute of steps that follow each other within 1.5 s."""
    times = np.diff(steps)
    times = times[(times > 0.2) & (times <= 1.5)]
    return 60 / np.median(times) if len(times) else np.nan


def why_steps(truth, own, others):
    counts = [len(own), *(len(steps) for steps in others)]
    if truth is not None and all(abs(count - len(truth)) <= 2 for count in counts):
        return "all within two steps"
    if max(counts) - min(counts) <= 2:
        return "within two steps of each other; the truth has only the steps of bouts of two strides"
    missed = [name for name, count in zip(["Footfall", "mobgap", "kielmat"], counts) if count < max(counts) - 2]
    return "fewer by " + ", ".join(missed) + ": a short walk with turns has no rhythm, and each detector has its own least length"


def compare(footfall, kielmat, logs):
    bad = 0
    print("### Steps and cadence at the lower back\n")
    print("| log | true steps | Footfall | mobgap | kielmat | cadence: Footfall | mobgap | kielmat | why |\n" + "|---" * 9 + "|")
    for log in map(pathlib.Path, logs):
        axes = samples(log)
        file = log.with_name(log.stem + ".steps.csv")
        truth = pd.read_csv(file).iloc[:, 0].to_numpy() if file.exists() else None
        with tempfile.TemporaryDirectory() as folder:
            own = footfall_steps(footfall, log, folder)
            np.save(folder + "/axes.npy", axes)
            run = subprocess.run([kielmat, __file__, "--kielmat", folder + "/axes.npy", folder + "/steps.npy"],
                                 capture_output=True, text=True)
            theirs = np.load(folder + "/steps.npy") if run.returncode == 0 else np.array([])
            if run.returncode != 0:
                print(run.stderr[-300:], file=sys.stderr)
                bad += 1
        others = [mobgap_steps(axes), theirs]
        all_steps = [own, *others]
        print(f"| {log.stem} | {'–' if truth is None else len(truth)} | {' | '.join(str(len(s)) for s in all_steps)} "
              f"| {' | '.join(f'{cadence(s):.1f}' for s in all_steps)} | {why_steps(truth, own, others)} |")
    return bad


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    if len(sys.argv) == 4 and sys.argv[1] == "--kielmat":
        np.save(sys.argv[3], kielmat_steps(np.load(sys.argv[2])))
    elif len(sys.argv) < 4:
        sys.exit(__doc__)
    else:
        sys.exit(1 if compare(*sys.argv[1:3], sys.argv[3:]) else 0)
