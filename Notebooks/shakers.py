"""Simulated machines and noise of a narrow band: a rhythm in the band of gait that no body makes.

A step shakes a body with harmonics whose phases hold, and the two legs differ. A shaker or a fan has one line and perhaps a few
weak harmonics; noise of a narrow band has none, and its phase wanders. Each function takes a random generator and returns times in
s, acceleration in g, a state per sample, and the kind.
"""

import numpy as np
from scipy.signal import butter, sosfilt

from activity_rides import FS, direction, gravity, log_uniform, noise3, sensor, unit, wander


def shaker(r, T=60):
    """A machine with one rhythm, noise of a narrow band, or both."""
    n = int(T * FS)
    hertz, kind = log_uniform(r, 0.7, 4.2), r.choice(["band", "band", "tone"])
    linear = tone(r, n, hertz) if kind == "tone" else np.zeros((n, 3))
    if kind == "band" or r.random() < 0.3:
        linear = linear + band(r, n, hertz)
    size = log_uniform(r, 0.015, 1)
    return sensor(r, unit(linear) * size + gravity(np.zeros((n, 2))), np.zeros(n, int)) + (f"shaker-{kind}",)


def band(r, n, hertz):
    """Noise of a band around a frequency, along one direction or more."""
    width = log_uniform(r, 0.03, 0.8)  # of the frequency
    edges = hertz * (1 - width / 2), hertz * (1 + width / 2)
    filtered = sosfilt(butter(r.integers(1, 4), edges, "bandpass", fs=FS, output="sos"), noise3(r, n), axis=0)
    return filtered @ axes(r)


def tone(r, n, hertz):
    """A sine on an ellipse, with a rhythm that drifts little and perhaps weak harmonics."""
    phase = 2 * np.pi * np.cumsum(hertz * np.exp(wander(r, n, log_uniform(r, 3, 30)) * log_uniform(r, 1e-4, 0.02))) / FS
    linear = np.column_stack([np.sin(phase + r.uniform(0, 6)) for _ in range(3)]) @ axes(r)
    for k in (2, 3, 4):
        strength = r.choice([0, 1]) * log_uniform(r, 0.02, 0.4) / (k - 1)
        linear = linear + strength * np.outer(np.sin(k * phase + r.uniform(0, 6)), direction(r))
    return linear * np.exp(wander(r, n, log_uniform(r, 1, 20)) * log_uniform(r, 1e-3, 0.3))[:, None]


def axes(r):
    """A mixture of three signals: along one direction, in a plane, or in all directions."""
    return np.diag([1, *(r.random(2) < 0.5) * r.uniform(0, 1, 2)]) @ np.linalg.qr(r.normal(size=(3, 3)))[0]
