"""Simulated hands at work: samples of a sensor at a wrist that waves, brushes, claps, stirs, sweeps, washes, swims or fumbles.

Few people were recorded at a table, and fewer in water. The simulations have wide ranges of rhythm, size, direction and steadiness.
Each motion is that of a forearm: the angles turn gravity over the axes of the sensor, and the sensor, at some distance from the
joint, has the acceleration of its path. Nobody in them takes a step.
Each function takes a random generator and returns times in s, acceleration in g, a state per sample, and the motion.
"""

import numpy as np

from activity_rides import FS, direction, human, log_uniform, lowpass, noise3, resonator, sensor, smooth, unit, wander

GRAVITY = 9.81  # m/s²

# The motion: rhythm in Hz, length of a burst and of a pause in s.
RHYTHMS = {
    "wave": ((0.8, 3), (3, 40), (0.3, 10)),
    "brush": ((1.5, 6), (3, 40), (0.2, 4)),
    "clap": ((1, 5), (5, 180), (0.3, 8)),
    "stir": ((0.7, 3), (4, 60), (0.3, 8)),
    "sweep": ((0.4, 1.6), (3, 60), (0.3, 5)),
    "wash": ((1, 4), (2, 30), (0.3, 5)),
    "swim": ((0.3, 1.0), (10, 60), (0.5, 8)),
    "shake": ((1, 4.5), (2, 30), (0.5, 10)),
}


def rhythm(r, n, hertz, unsteady):
    """The phase of a rhythm in rad, whose beats differ and drift, and which is quicker in one half than in the other."""
    slow = wander(r, n, log_uniform(r, 5, 40)) * unsteady
    quick = wander(r, n, 1 / hertz) * unsteady * r.uniform(0, 1.5)
    phase = 2 * np.pi * np.cumsum(hertz * np.exp(slow + quick)) / FS
    lean = r.uniform(0, 0.6)
    return phase + lean * np.sin(phase + r.uniform(0, 2 * np.pi))


def bursts(r, n, length, pause):
    """1 while the hand is at work, 0 in its pauses."""
    on, at = np.zeros(n), 0
    while at < n:
        work = int(log_uniform(r, *length) * FS)
        on[at : at + work] = 1
        at += work + int(log_uniform(r, *pause) * FS)
    return smooth(on, r.uniform(0.2, 0.8))


def acceleration(path):
    """The acceleration in g of a path in m."""
    return np.gradient(np.gradient(path, axis=0), axis=0) * FS * FS / GRAVITY


def turned(axis, angle, start):
    """The direction `start` after turns about an axis, by Rodrigues' formula."""
    cosine, sine = np.cos(angle)[:, None], np.sin(angle)[:, None]
    return start * cosine + np.cross(axis, start) * sine + axis * (axis @ start) * (1 - cosine)


def perpendicular(r, axis):
    """A random unit vector at a right angle to another."""
    other = np.cross(axis, direction(r))
    return other / np.linalg.norm(other)


def posture(r, n):
    """The slow tilt of an arm between and during its motions: two angles in rad."""
    angles = np.stack([wander(r, n, log_uniform(r, 2, 30)) for _ in range(2)], 1) * log_uniform(r, 0.02, 0.5)
    return np.stack([smooth(angle, 1.5) for angle in angles.T], 1)


def rotation(r, n, phase, size, on, radius, about=None):
    """An arm that turns to and fro about a joint: the direction of gravity, and the acceleration of the sensor at a radius in m."""
    axis = direction(r) if about is None else about
    angle = size * on * np.sin(phase) + size * r.uniform(0, 0.3) * on * np.sin(2 * phase + r.uniform(0, 6))
    forearm = perpendicular(r, axis)
    return turned(axis, -angle, direction(r)), spun(axis, forearm, angle, radius)


def spun(axis, forearm, angle, radius):
    """The acceleration in g, on the axes of the sensor, of a point that turns about an axis."""
    rate = np.gradient(angle) * FS
    tangential = np.outer(np.gradient(rate) * FS, np.cross(axis, forearm))
    return radius / GRAVITY * (tangential - np.outer(rate * rate, forearm))


def stroke(r, phase, size, on, roundness):
    """A hand that moves on an ellipse: its acceleration in g. `size` is half the stroke in m."""
    one = direction(r)
    other = perpendicular(r, one)
    path = np.outer(np.sin(phase), one) + roundness * np.outer(np.cos(phase), other)
    path += r.uniform(0, 0.25) * np.outer(np.sin(2 * phase + r.uniform(0, 6)), direction(r))
    return acceleration(path * (size * on)[:, None])


def impacts(r, phase, on, size):
    """A blow in each cycle that rings, in g."""
    n = len(phase)
    beats = np.flatnonzero(np.diff(np.floor(phase / (2 * np.pi))) > 0)
    blows = np.zeros(n)
    blows[beats] = np.exp(0.4 * r.normal(size=len(beats)))
    ring = resonator(blows, log_uniform(r, 8, 45), r.uniform(0.1, 0.6)) * FS / 12
    return np.outer(ring * on * size, direction(r))


def hand(r, T=90, kind=None):
    """A hand with one of the motions of RHYTHMS."""
    kind = kind or r.choice(list(RHYTHMS))
    n = int(T * FS)
    hertz, length, pause = RHYTHMS[kind]
    phase = rhythm(r, n, log_uniform(r, *hertz), log_uniform(r, 0.01, 0.12))
    on = bursts(r, n, length, pause) * np.exp(log_uniform(r, 0.03, 0.35) * wander(r, n, log_uniform(r, 1, 10)))
    frequency = np.median(np.gradient(phase)) * FS / (2 * np.pi)
    if kind == "swim":
        down, linear = swimming(r, n, phase)
    elif kind == "wave":
        down, linear = rotation(r, n, phase, log_uniform(r, 0.1, 0.9), on, r.uniform(0.15, 0.35))
    else:
        down, linear = working(r, n, kind, phase, on, frequency)
    angles = posture(r, n)
    down = down + np.column_stack([np.sin(angles), np.zeros(n)]) * (0.3 if kind == "swim" else 1)
    down /= np.linalg.norm(down, axis=1, keepdims=True)
    body_angles, body = human(r, n, r.choice(["body", "wrist"]))
    down = down + np.column_stack([body_angles, np.zeros(n)])
    if r.random() < 0.5:
        fumbling = lowpass(noise3(r, n), r.uniform(1, 5), 2)
        body = body + unit(fumbling) * (log_uniform(r, 0.01, 0.25) * np.exp(0.5 * wander(r, n, 4)))[:, None]
    return sensor(r, down + np.clip(linear, -8, 8) + body, np.zeros(n, int)) + (f"hand-{kind}",)


def working(r, n, kind, phase, on, frequency):
    """A hand that moves to and fro, with a turn of the wrist and perhaps a blow at the end of each stroke."""
    most = {"brush": 0.03, "clap": 0.15, "stir": 0.1, "sweep": 0.35, "wash": 0.12, "shake": 0.15}[kind]
    # A hand that is quick makes short strokes: about 4 g at most.
    most = min(most, 4 * GRAVITY / (2 * np.pi * frequency) ** 2)
    size = log_uniform(r, most / 15, most)
    linear = stroke(r, phase, size, on, r.uniform(0.6, 1) if kind == "stir" else r.uniform(0, 0.4))
    turn = log_uniform(r, 0.02, {"sweep": 0.9, "wash": 0.6, "stir": 0.5}.get(kind, 0.3))
    half = 0.5 if r.random() < 0.15 else 1  # some hands alternate, as in folding and drumming
    down, swung = rotation(r, n, phase * half, turn, on, r.uniform(0, 0.3))
    if kind == "clap" or (kind in ("sweep", "shake") and r.random() < 0.3):
        linear = linear + impacts(r, phase, on, log_uniform(r, 0.1, 4))
    return down, linear + swung


def swimming(r, n, phase):
    """Strokes in water: the arm turns once about the shoulder in a stroke, or to and fro with both arms, and glides between."""
    axis = direction(r)
    on = bursts(r, n, (15, 90), (0.5, 6))
    if r.random() < 0.6:
        turns = np.cumsum(np.gradient(phase) * on) * r.choice([-1, 1])
        turns = turns + r.uniform(0, 0.8) * np.sin(turns + r.uniform(0, 6))
    else:
        turns = log_uniform(r, 0.4, 1.5) * on * np.sin(phase)
    start = perpendicular(r, axis) * r.uniform(0.7, 1) + axis * r.normal() * 0.3
    roll = log_uniform(r, 0.1, 1.2) * on * np.sin(phase + r.uniform(0, 6))
    forearm = perpendicular(r, axis)
    down = turned(axis, -turns, start / np.linalg.norm(start))
    sideways = np.cross(forearm, down)
    down = down * np.cos(roll)[:, None] + sideways * np.sin(roll)[:, None] + np.outer(down @ forearm, forearm) * (
        1 - np.cos(roll)[:, None])
    linear = spun(axis, forearm, turns, r.uniform(0.3, 0.6)) + stroke(r, phase, log_uniform(r, 0.02, 0.2), on, r.uniform(0, 1))
    for k in range(2, 7):  # a stroke is no pendulum: the hand enters, catches, pulls, pushes and recovers
        size = log_uniform(r, 0.03, 0.5) * k ** -0.5 * on * np.exp(0.3 * wander(r, n, 2))
        linear = linear + np.outer(size * np.sin(k * phase + 0.7 * wander(r, n, 3) + r.uniform(0, 6)), direction(r))
    beat = np.clip(np.sin(phase + r.uniform(0, 6)), 0, None) ** 2 + r.uniform(0.1, 1)
    for low, high, most in ((2, 6, 0.4), (6, 40, 0.8)):  # the water about the hand, and the splash
        water = unit(lowpass(noise3(r, n), log_uniform(r, low, high), 2)) * r.uniform(0.5, 1.5, 3)
        linear = linear + water * (log_uniform(r, 0.04, most) * beat * on)[:, None]
    if r.random() < 0.5:
        linear = linear + impacts(r, phase, on, log_uniform(r, 0.05, 0.6))
    return down, linear


def runner(r, seconds):
    """A watch at the arm of a fast runner: times, acceleration and the times of the steps.

    The forearm swings once in two steps, its centripetal acceleration and the blows of the feet come with each step.
    """
    n = int(seconds * FS)
    phase = rhythm(r, n, r.uniform(3.1, 3.7), r.uniform(0, 0.03))
    beat, swing = r.uniform(1.4, 2.8), log_uniform(r, 0.1, 1.5)
    turns = r.uniform(0, 2 * np.pi, 5)
    along = r.uniform(0, 0.8) + beat * np.cos(phase) + r.uniform(0, 0.4) * beat * np.cos(2 * phase + turns[0])
    across = swing * np.cos(phase / 2 + turns[1])
    down = 0.9 + beat * (r.uniform(0.1, 0.6) * np.cos(phase + turns[2]) + r.uniform(0.1, 0.4) * np.cos(2 * phase + turns[3]))
    time, acceleration, *_ = sensor(r, np.stack([along, across, down], 1), np.zeros(n))
    whole = np.arange(np.ceil(phase[0] / (2 * np.pi)), phase[-1] / (2 * np.pi))
    return time, acceleration, np.interp(2 * np.pi * whole, phase, np.arange(n) / FS)
