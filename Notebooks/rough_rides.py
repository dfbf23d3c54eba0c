"""Simulated bicycles, rides and noise for the walking check, with what recordings show above 5 Hz.

Like the simulations of `activity_rides.py`, each function takes a random generator and returns times in s, acceleration in g, a state per
sample, and the placement. The activity model is trained on the simpler rides and bicycles of that file.
"""

import numpy as np

from activity_rides import (
    FS, gravity, human, log_uniform, lowpass, noise3, resonator, rms_around, sensor, smooth, speed, unit, wander)


def ride(r, T=300):
    """A car or bus with the device on the dashboard, in a pocket, a bag, the hand or at the wrist. State 1: halted."""
    n = int(T * FS)
    kind = r.choice(["city", "city", "highway", "bus", "jam"], p=[0.3, 0.25, 0.2, 0.15, 0.1])
    v = speed(r, T, kind)
    lon = np.gradient(v) * FS / 9.81
    lat = np.zeros(n)
    for i in r.integers(0, n, r.poisson(T / log_uniform(r, 25, 120))):  # turns
        d = int(r.uniform(3, 9) * FS)
        j = min(n, i + d)
        lat[i:j] += np.hanning(d)[: j - i] * r.choice([-1, 1]) * r.uniform(0.05, 0.35)
    lat = lat * np.clip(v / 5, 0, 1)
    lat += log_uniform(r, 0.003, 0.03) * smooth(wander(r, n, r.uniform(2, 6)), 1) * np.clip(v / 12, 0, 1)
    linear = vibration(r, v)
    linear[:, 0] += lon
    linear[:, 1] += lat
    place = r.choice(["dash", "pocket", "bag", "wrist", "hand"], p=[0.38, 0.32, 0.12, 0.12, 0.06])
    linear = mounted(r, linear) if place == "dash" else carried(r, linear, log_uniform(r, 5, 40))
    where = {"dash": "none", "pocket": "body", "bag": "none", "wrist": "wrist", "hand": "hand"}[place]
    angles, body_linear = human(r, n, where)
    if place == "wrist":  # the steering arm: slow turns of the wrist
        on = np.clip(wander(r, n, 10) + 0.3, 0, None) * np.clip(v / 6, 0.2, 1)
        angles[:, 0] += on * wander(r, n, log_uniform(r, 0.6, 3)) * log_uniform(r, 0.01, 0.25)
    angles = angles + 0.35 * np.stack([lon, lat], 1) * r.uniform(0, 0.2)  # body pitch and roll
    body = gravity(angles) + body_linear
    road_rms, body_rms = rms_around(linear), rms_around(body)
    state = np.where(v < 0.3, 1, np.where(road_rms < body_rms, 2, 0))  # 2: unused, as the hand moves more than the road
    return sensor(r, body + linear, state, road_rms) + ("auto-" + place,)  # 1: stopped


def vibration(r, v):
    """The shaking of a vehicle at a speed in m/s: suspension, wheel hop, trim, potholes, engine. In g, three axes."""
    n = len(v)
    level = log_uniform(r, 0.015, 0.12) * np.sqrt(np.maximum(v, 0) / 14)
    level *= np.exp(0.35 * wander(r, n, log_uniform(r, 3, 20)))
    spring, damping, hop = r.uniform(1, 2.1), r.uniform(0.15, 0.4), r.uniform(9, 15)
    shares = [log_uniform(r, *share) for share in ((0.15, 1), (0.2, 2), (0.2, 1.2), (0.1, 1.5))]

    def road():
        w = lowpass(r.normal(size=n)[:, None], log_uniform(r, 8, 80))[:, 0]
        parts = [
            resonator(w, spring, damping) - resonator(w, 0.4, 0.9),
            resonator(w, hop, r.uniform(0.08, 0.3)) - resonator(w, hop / 3, 0.7),
            resonator(w, r.uniform(3, 8), 0.7) - resonator(w, 1, 0.7),
        ]
        trim = r.uniform(14, 35)  # Hz: body panels, seat rails, trim
        parts.append(resonator(w, trim, r.uniform(0.1, 0.5)) - resonator(w, trim / 3, 0.7))
        return unit(sum(share * unit(part) for share, part in zip(shares, parts)))

    flat = log_uniform(r, 0.25, 1.0)
    linear = np.stack([road() * flat, road() * flat * r.uniform(0.5, 1.3), road()], 1) * level[:, None]
    impulses = (r.random(n) < log_uniform(r, 0.03, 0.4) / FS) * r.normal(size=n) * (v > 1)
    potholes = resonator(impulses, spring, damping) * FS / 8 + resonator(impulses, hop, 0.15) * FS / 80
    linear[:, 2] += potholes * log_uniform(r, 0.005, 0.08)
    sway = resonator(wander(r, n, 2), r.uniform(0.4, 0.9), 0.2)
    linear[:, 1] += unit(sway) * log_uniform(r, 0.001, 0.012) * np.clip(v / 8, 0, 1)
    # The firing tone of the engine aliases as in a phone without a filter.
    idle = r.uniform(10, 32)
    revolutions = idle * (1 + np.clip(v / 12, 0, 1.8) * (0.6 + 0.4 * wander(r, n, 3)))
    phase = 2 * np.pi * np.cumsum(np.clip(revolutions, 8, 95)) / FS
    loudness = log_uniform(r, 0.0005, 0.03) * (0 if r.random() < 0.15 else 1)
    engine = loudness * np.where(v < 0.3, 0 if r.random() < 0.25 else r.uniform(0.3, 1.5), 1)
    return linear + np.outer((np.sin(phase) + 0.4 * np.sin(phase / 2)) * smooth(engine, 0.5), 1.2 * direction(r))


def mounted(r, linear):
    """A mount on the dashboard, with a resonance of its own."""
    f, z, k = r.uniform(10, 35), r.uniform(0.04, 0.3), r.uniform(0, 1.2)
    fast = (linear - lowpass(linear, 3)) * log_uniform(r, 0.6, 3)
    return linear + k * (resonators(fast, [f] * 3, [z] * 3) - 0.3 * fast)


def carried(r, linear, cutoff):
    """A pocket or bag: a low-pass with leakage, and the resonance of the body."""
    slow = lowpass(linear, cutoff, int(r.integers(1, 3)))
    linear = slow + (linear - slow) * log_uniform(r, 0.1, 0.8)
    fast = linear - lowpass(linear, 1.5)
    return linear + r.uniform(0, 0.4) * (resonators(fast, [r.uniform(3.5, 9)] * 3, [0.3] * 3) - fast)


def resonators(x, frequencies, dampings):
    """A mass on a spring for each axis."""
    return np.stack([resonator(x[:, k], frequencies[k], dampings[k]) for k in range(3)], 1)


def direction(r):
    """A random unit vector."""
    d = r.normal(size=3)
    return d / np.linalg.norm(d)


def bicycle(r, T=240):
    """A bicycle with the device on a thigh, in a jacket or bag, at the wrist or on the handlebar. State 1: halted.

    The crank moves a thigh once a turn, and the trunk twice; harmonics follow. The road shakes from 3 Hz on.
    """
    n = int(T * FS)
    v = np.minimum(speed(r, T, "city") * 0.5, r.uniform(4, 9))
    pedalling = smooth((wander(r, n, 12) > -0.9).astype(float), 1.5) * np.clip(v / 2, 0, 1)
    f = r.uniform(0.65, 1.7) * (1 + log_uniform(r, 0.02, 0.08) * wander(r, n, 10)) * np.clip(0.7 + 0.3 * v / 6, 0.7, 1.1)
    phase = 2 * np.pi * np.cumsum(f) / FS
    place = r.choice(["thigh", "thigh", "thigh", "jacket", "bag", "wrist", "bar"])
    on_thigh = place == "thigh"
    angles, linear = np.zeros((n, 2)), np.zeros((n, 3))
    swing = log_uniform(r, 0.08, 0.7) if on_thigh else log_uniform(r, 0.003, 0.1)
    angles[:, 0] += swing * (np.sin(phase) + r.uniform(0, 0.3) * np.sin(2 * phase + r.uniform(0, 6))) * pedalling
    angles[:, 1] += swing * r.uniform(0, 0.6) * np.sin(phase + r.uniform(0, 6)) * pedalling
    angles[:, 1] += 0.05 * wander(r, n, 2) * r.uniform(0.3, 1.5)
    effort = np.exp(0.25 * wander(r, n, 6)) * pedalling
    for k in range(1, 7):
        size = (log_uniform(r, 0.02, 0.25) if on_thigh else log_uniform(r, 0.005, 0.12)) * k ** -r.uniform(0.6, 1.6)
        size *= 1.6 if k % 2 == 0 else 1.0 if on_thigh or k > 1 else 0.6
        linear += np.outer(np.sin(k * phase + r.uniform(0, 6)) * effort, size * direction(r))
    w = lowpass(r.normal(size=(n, 3)), log_uniform(r, 6, 60))
    w = unit(w - lowpass(w, r.uniform(0.8, 3)))
    resonance = r.uniform(3, 9)
    w = unit(w + r.uniform(0, 1.2) * unit(
        resonators(w, resonance * r.uniform(0.8, 1.25, 3), r.uniform(0.1, 0.4, 3))))
    level = log_uniform(r, 0.03, 0.6) * np.sqrt(v / 5 + 1e-6)
    level *= np.exp(log_uniform(r, 0.2, 0.6) * wander(r, n, log_uniform(r, 1, 8)))
    linear += w * level[:, None] * np.array([r.uniform(0.3, 1), r.uniform(0.3, 1), 1.0])
    impulses = (r.random(n) < log_uniform(r, 0.05, 1.0) / FS) * r.normal(size=n) * (v > 1)
    linear[:, 2] += resonator(impulses, r.uniform(5, 14), 0.25) * FS / 20 * log_uniform(r, 0.05, 0.8)
    linear[:, 0] += np.gradient(v) * FS / 9.81
    if on_thigh or place in ("jacket", "bag"):
        linear = lowpass(linear, log_uniform(r, 7, 45))
    _, body_linear = human(r, n, "body")
    return sensor(r, gravity(angles) + linear + body_linear, np.where(v < 0.3, 1, 0)) + ("bike-" + place,)


def noise(r, T=60):
    """No person at all: white, low-passed or uniform noise, or spikes, as a loose cable or a broken sensor gives."""
    n = int(T * FS)
    size = log_uniform(r, 0.05, 1.5)
    kind = r.choice(["white", "coloured", "uniform", "spikes"])
    if kind == "uniform":
        acc = r.uniform(-1, 1, (n, 3)) * size
    else:
        acc = noise3(r, n) * size
        if kind == "coloured":
            acc = unit(lowpass(acc, log_uniform(r, 1, 40))) * size
        elif kind == "spikes":
            acc = np.where(r.random((n, 1)) < log_uniform(r, 0.003, 0.2), acc, 0.003 * noise3(r, n))
        acc = acc + gravity(np.zeros((n, 2)))
    # Sampled as it is: noise of the sensor is not filtered and has no memory from sample to sample.
    rate = r.choice([12.5, 25, 50, 50, 100])
    t = np.arange(0, T - 1 / FS, 1 / rate)
    return t, acc[(t * FS).astype(int)], np.zeros(len(t), int), "noise-" + kind
