"""Simulated rides, bicycles, and resting and busy people: samples with the state of each.

Recordings of rides are few, and those of one data set come from one car and one pocket. The simulations have wide ranges
of speed profiles with halts, suspensions of 1 to 2 Hz, roads, engines, mounts, pockets, breath, fidgets and sensors.
The label describes the signal: a ride below the noise of the sensor has the label of a halt.
Each function takes a random generator and returns times in s, acceleration in g, a state per sample, and the placement.
"""

import numpy as np
from scipy.signal import butter, lfilter, sosfilt

FS = 200  # Hz, internal rate: engine tones alias as in a phone without an anti-alias filter
ROAD = (0.03, 0.6)  # g, the range of the shaking of a bicycle at 5 m/s


def random_rotation(r):
    """A uniformly distributed rotation matrix."""
    q = r.normal(size=4)
    q /= np.linalg.norm(q)
    w, x, y, z = q
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )


def wander(r, n, tau, fs=FS):
    """Ornstein-Uhlenbeck noise of unit variance with the time constant tau in seconds, at 10 Hz."""
    m = int(n / fs * 10) + 2
    a = np.exp(-0.1 / tau)
    e = r.normal(size=m) * np.sqrt(1 - a * a)
    e[0] = r.normal()
    return np.interp(np.arange(n) / fs * 10, np.arange(m), lfilter([1], [1, -a], e))


def resonator(x, f, z, fs=FS):
    """A mass on a spring: second order, resonance at f Hz with damping z, gain one at rest."""
    w = 2 * np.pi * f / fs
    p = np.exp(-z * w)
    c = 2 * p * np.cos(w * np.sqrt(max(1 - z * z, 1e-3)))
    return lfilter([1 - c + p * p], [1, -c, p * p], x)


def unit(x):
    """The signal scaled to unit variance."""
    return x / (x.std() + 1e-12)


def lowpass(x, f, order=1):
    """A Butterworth low-pass, f in Hz."""
    return sosfilt(butter(order, f, fs=FS, output="sos"), x, axis=0)


def log_uniform(r, a, b):
    """A log-uniform number between a and b."""
    return np.exp(r.uniform(np.log(a), np.log(b)))


def smooth(x, sec):
    """A moving mean with a Hann window of sec seconds."""
    k = max(1, int(sec * FS))
    w = np.hanning(k + 2)[1:-1]
    w /= w.sum()
    return np.convolve(x, w, "same")


def speed(r, T, kind):
    """The speed of a vehicle in m/s: phases of acceleration, cruise, braking and halt."""
    v = []
    cur = 0.0
    t = 0
    if r.random() < 0.35:
        cur = r.uniform(5, 25)
    else:
        s = r.uniform(0, 40)
        v += [np.zeros(int(s * FS))]
        t += s
    while t < T:
        if kind == "highway":
            target = r.uniform(20, 34)
            duration = log_uniform(r, 60, 400)
        elif kind == "bus":
            target = r.uniform(6, 14)
            duration = log_uniform(r, 8, 50)
        elif kind == "jam":
            target = r.uniform(1.5, 6)
            duration = log_uniform(r, 4, 20)
        else:
            target = r.uniform(6, 18)
            duration = log_uniform(r, 8, 90)
        a = r.uniform(0.5, 2.2)
        n = int(abs(target - cur) / a * FS) + 1
        v.append(np.linspace(cur, target, n))
        t += n / FS
        n = int(duration * FS)
        v.append(np.maximum(target * (1 + 0.08 * smooth(wander(r, n, 10), 5)), 0.5))
        t += duration
        cur = v[-1][-1]
        if r.random() < (0.25 if kind == "highway" else 0.65):
            a = r.uniform(0.6, 2.5)
            n = int(cur / a * FS) + 1
            v.append(np.linspace(cur, 0, n))
            t += n / FS
            s = log_uniform(r, 3, 60) if kind != "jam" else log_uniform(r, 2, 15)
            v.append(np.zeros(int(s * FS)))
            t += s
            cur = 0.0
    v = np.concatenate(v)[: int(T * FS)]
    v = np.pad(v, (0, int(T * FS) - len(v)), mode="edge")
    return np.maximum(smooth(v, r.uniform(0.6, 1.5)), 0)


def noise3(r, n):
    """White noise on three axes."""
    return r.normal(size=(n, 3))


def tilts(r, n, rate, deg, settle=(0.3, 1.5)):
    """Changes of posture: two angles of gravity in rad, and the strength of the bump with each change."""
    k = r.poisson(rate * n / FS)
    angles = np.zeros((n, 2))
    env = np.zeros(n)
    for i in r.integers(0, n, k):
        d = int(r.uniform(*settle) * FS)
        step = r.normal(size=2) * np.deg2rad(deg) * r.exponential()
        back = r.random() < 0.4
        s = np.clip((np.arange(n - i)) / d, 0, 1)
        s = s * s * (3 - 2 * s)
        if back:
            h = int(log_uniform(r, 0.5, 8) * FS)
            s2 = np.clip((np.arange(n - i) - h) / d, 0, 1)
            s = s - s2 * s2 * (3 - 2 * s2)
        angles[i:] += s[:, None] * step
        j = min(n, i + d)
        env[i:j] += np.hanning(d)[: j - i] * log_uniform(r, 0.01, 0.25)
    return angles, env


def human(r, n, where):
    """what a body adds: angles (rad, two axes) and linear acceleration (g, world axes)."""
    t = np.arange(n) / FS
    linear = np.zeros((n, 3))
    angles = np.zeros((n, 2))
    if where == "none":
        return angles, linear
    b = 0.2 + 0.12 * r.random()
    phase = 2 * np.pi * np.cumsum(b * (1 + 0.15 * wander(r, n, 10))) / FS
    angles += np.outer(np.sin(phase), r.normal(size=2)) * log_uniform(r, 0.0003, 0.008)
    heart_rate = r.uniform(0.9, 1.7)
    phase = 2 * np.pi * np.cumsum(heart_rate * (1 + 0.05 * wander(r, n, 15))) / FS
    pulse = np.exp(-(((phase % (2 * np.pi)) / 0.5) ** 2)) * np.sin((phase % (2 * np.pi)) * r.uniform(4, 8))
    linear += np.outer(pulse, r.normal(size=3)) * log_uniform(r, 0.0003, 0.006)
    if where == "hand":
        tremor = lowpass(noise3(r, n), r.uniform(8, 13), 2)
        r.normal(size=(n, 3))  # an unused draw, which keeps the later numbers of earlier trainings
        linear += unit(tremor) * log_uniform(r, 0.001, 0.012) * np.exp(0.4 * wander(r, n, 3))[:, None]
        for k in range(2):
            angles[:, k] += wander(r, n, log_uniform(r, 1, 10)) * log_uniform(r, 0.005, 0.08)
    if where in ("wrist", "hand", "body"):
        rate, deg = {
            "wrist": (log_uniform(r, 0.01, 0.25), 18),
            "hand": (log_uniform(r, 0.02, 0.25), 10),
            "body": (log_uniform(r, 0.004, 0.3), 6),
        }[where]
        a, e = tilts(r, n, rate, deg)
        angles += a
        linear += lowpass(noise3(r, n), r.uniform(2, 7), 2) * 3 * e[:, None]
        # sway
        for k in range(2):
            angles[:, k] += lowpass(wander(r, n, log_uniform(r, 0.5, 3))[:, None], 1.0)[:, 0] * log_uniform(
                r, 0.0005, 0.012
            )
    if where == "wrist" and r.random() < 0.8:  # desk work: the arm moves at times
        on = np.clip(wander(r, n, log_uniform(r, 5, 60)) + r.uniform(-0.8, 0.8), 0, None)
        f = log_uniform(r, 0.4, 4)
        for k in range(2):
            angles[:, k] += on * wander(r, n, f) * log_uniform(r, 0.008, 0.15)
    if where in ("wrist", "hand") and r.random() < 0.5:  # typing, tapping: bursts of impulses 2-8 Hz
        on = wander(r, n, log_uniform(r, 3, 20)) > r.uniform(-0.5, 1.2)
        f = r.uniform(2, 8)
        impulses = (r.random(n) < f / FS) * on * r.normal(size=n)
        linear += np.outer(resonator(impulses, r.uniform(6, 20), 0.3) * FS / 12, r.normal(size=3)) * log_uniform(
            r, 0.003, 0.05
        )
    if where == "body" and r.random() < 0.12:  # a bouncing leg
        on = smooth((wander(r, n, 15) > 0.8).astype(float), 1)
        f = r.uniform(3, 6.5)
        phase = 2 * np.pi * np.cumsum(f * (1 + 0.03 * wander(r, n, 4))) / FS
        linear += np.outer(np.sin(phase) * on, r.normal(size=3)) * log_uniform(r, 0.01, 0.12)
    return angles, linear


def gravity(angles):
    """The direction of gravity on the device's axes."""
    g = np.stack(
        [
            np.sin(angles[:, 0]),
            np.sin(angles[:, 1]) * np.cos(angles[:, 0]),
            np.cos(angles[:, 0]) * np.cos(angles[:, 1]),
        ],
        1,
    )
    return g


def rms_around(x):
    """The rms of three axes over about five seconds, at every sample."""
    n = len(x)
    c = np.vstack([np.zeros(3), np.cumsum(x**2, 0)])[:: FS // 2]
    d = np.vstack([np.zeros(3), np.cumsum(x, 0)])[:: FS // 2]
    i = np.arange(len(c))
    lo, hi = np.maximum(i - 5, 0), np.minimum(i + 5, len(c) - 1)
    k = ((hi - lo) * FS // 2)[:, None]
    return np.interp(
        np.arange(n) / (FS // 2), i, np.sqrt(np.maximum((c[hi] - c[lo]) / k - ((d[hi] - d[lo]) / k) ** 2, 0).sum(1))
    )


def sensor(r, acc, state, strength=None, rate=None):
    """The samples of a sensor: rotated, filtered, with noise and quantization, at a rate with jitter and losses."""
    n = len(acc)
    rate = rate or r.choice([12.5, 12.5, 20, 25, 32, 50, 50, 100, 100])
    rate *= r.uniform(0.96, 1.04)
    T = n / FS
    t = np.arange(0, T - 1 / FS, 1 / rate)
    t = t + r.normal(size=len(t)) / rate * r.choice([0, 0.01, 0.08])
    t = np.sort(np.clip(t, 0, T - 1 / FS))
    if r.random() < 0.3:
        t = t[r.random(len(t)) > r.choice([0.01, 0.05])]
    x = np.arange(n) / FS
    white = log_uniform(r, 0.0004, 0.010) if r.random() < 0.6 else r.uniform(0.002, 0.008)
    if strength is not None:
        state = np.where(
            (strength < 3 * white) & (state == 0), 1, state
        )  # a ride below the noise is labelled as a halt
    u = r.random()
    f, order = (
        (rate * r.uniform(0.11, 0.3), 1) if u < 0.3 else (rate * r.uniform(0.35, 0.6), 2)
    )  # most sensors have an anti-alias filter, some wrist bands at ODR/9
    if u < 0.75:
        acc = lowpass(acc, min(f, 90), order)
    if u < 0.75 and r.random() < 0.6:
        acc = acc + unit(lowpass(noise3(r, n), min(f, 90), order)) * white
        white *= 0.4  # the filter also colours the noise
    a = (
        np.stack([np.interp(t, x, acc[:, k]) for k in range(3)], 1) @ random_rotation(r).T * r.uniform(0.97, 1.03)
        + r.normal(size=3) * 0.01
    )
    a += r.normal(size=a.shape) * white * 0.7
    q = r.choice([1 / 4096, 1 / 1024, 1 / 256, 1 / 64])
    a = np.round(a / q) * q
    s = state[np.clip((t * FS).astype(int), 0, n - 1)]
    return t, a, s


def driver(r, T=300):
    """A ride with the device at the wrist of the driver."""
    return ride(r, T, "wrist")


def ride(r, T=300, place=None):
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
    place = place or r.choice(["dash", "pocket", "bag", "wrist", "hand"], p=[0.38, 0.32, 0.12, 0.12, 0.06])
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


def slabs(r, T=90):
    """A car on a road of slabs, over which its body sinks and rings: beats that begin as sharply as steps."""
    n = int(T * FS)
    hertz = log_uniform(r, 0.6, 2.5)
    turns = np.cumsum(hertz * (1 + log_uniform(r, 0.01, 0.1) * wander(r, n, 1.5))) / FS
    seconds = (turns % 1) / hertz
    sinking = log_uniform(r, 0.05, 0.4) * np.exp(-r.uniform(3, 9) * seconds) * np.sin(2 * np.pi * r.uniform(1, 2.2) * seconds)
    ringing = log_uniform(r, 0.01, 0.2) * np.exp(-r.uniform(5, 12) * seconds) * np.sin(2 * np.pi * r.uniform(4, 14) * seconds)
    linear = np.outer(sinking + ringing, [r.uniform(0, 0.5), 0, 1]) + log_uniform(r, 0.003, 0.06) * noise3(r, n)
    return sensor(r, linear + [0, 0, 1], np.zeros(n)) + ("auto-slabs",)


def direction(r):
    """A random unit vector."""
    d = r.normal(size=3)
    return d / np.linalg.norm(d)


def bicycle(r, T=240, road=ROAD, push=(0.02, 0.25)):
    """A bicycle with the device on a thigh, in a jacket or bag, at the wrist or on the handlebar. State 1: halted.

    The crank moves a thigh once a turn, and the trunk twice; harmonics follow. The road shakes from 3 Hz on.
    `road` is the range of the shaking at 5 m/s away from a thigh, `push` that of the crank's first harmonic at the thigh, in g.
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
        size = (log_uniform(r, *push) if on_thigh else log_uniform(r, 0.005, 0.12)) * k ** -r.uniform(0.6, 1.6)
        size *= 1.6 if k % 2 == 0 else 1.0 if on_thigh or k > 1 else 0.6
        linear += np.outer(np.sin(k * phase + r.uniform(0, 6)) * effort, size * direction(r))
    w = lowpass(r.normal(size=(n, 3)), log_uniform(r, 6, 60))
    w = unit(w - lowpass(w, r.uniform(0.8, 3)))
    resonance = r.uniform(3, 9)
    w = unit(w + r.uniform(0, 1.2) * unit(
        resonators(w, resonance * r.uniform(0.8, 1.25, 3), r.uniform(0.1, 0.4, 3))))
    level = log_uniform(r, *(ROAD if on_thigh else road)) * np.sqrt(v / 5 + 1e-6)
    level *= np.exp(log_uniform(r, 0.2, 0.6) * wander(r, n, log_uniform(r, 1, 8)))
    linear += w * level[:, None] * np.array([r.uniform(0.3, 1), r.uniform(0.3, 1), 1.0])
    impulses = (r.random(n) < log_uniform(r, 0.05, 1.0) / FS) * r.normal(size=n) * (v > 1)
    linear[:, 2] += resonator(impulses, r.uniform(5, 14), 0.25) * FS / 20 * log_uniform(r, 0.05, 0.8)
    linear[:, 0] += np.gradient(v) * FS / 9.81
    if on_thigh or place in ("jacket", "bag"):
        linear = lowpass(linear, log_uniform(r, 7, 45))
    _, body_linear = human(r, n, "body")
    return sensor(r, gravity(angles) + linear + body_linear, np.where(v < 0.3, 1, 0)) + ("bike-" + place,)


def still(r, T=400):
    """A device on a table, or on a person who sits, stands or works at a desk."""
    n = int(T * FS)
    place = r.choice(["table", "pocket", "wrist", "hand"], p=[0.22, 0.32, 0.28, 0.18])
    angles, linear = human(r, n, {"table": "none", "pocket": "body", "wrist": "wrist", "hand": "hand"}[place])
    if place == "table":
        impulses = (r.random(n) < log_uniform(r, 0.003, 0.5) / FS) * r.normal(size=n)
        linear += np.outer(resonator(impulses, r.uniform(5, 25), 0.2) * FS / 15, r.normal(size=3)) * log_uniform(
            r, 0.001, 0.02
        )
        if r.random() < 0.3:
            linear += np.outer(
                np.sin(2 * np.pi * r.uniform(8, 60) * np.arange(n) / FS), r.normal(size=3)
            ) * log_uniform(
                r, 0.0005, 0.006
            )  # a fan, a fridge
    elif r.random() < 0.45:  # standing, fidgeting: intermittent motion of limbs in any direction
        w = lowpass(noise3(r, n), r.uniform(2, 10), 1)
        w = (
            unit(w - lowpass(w, r.uniform(0.3, 1.5)))
            * log_uniform(r, 0.002, 0.045)
            * np.exp(log_uniform(r, 0.4, 1.3) * wander(r, n, log_uniform(r, 1, 10)))[:, None]
        )
        linear += w * r.uniform(0.4, 1.6, 3)
        for k in range(2):
            angles[:, k] += (
                lowpass(wander(r, n, log_uniform(r, 0.3, 3))[:, None], 2.0)[:, 0]
                * log_uniform(r, 0.001, 0.03)
                * np.exp(0.7 * wander(r, n, 5))
            )
    return sensor(r, gravity(angles) + linear, np.zeros(n, int)) + ("still-" + place,)


def handled(r, T=240):
    """A device in busy hands: gestures, rotation, chores."""
    n = int(T * FS)
    angles = np.zeros((n, 2))
    linear = np.zeros((n, 3))
    on = np.clip(wander(r, n, log_uniform(r, 3, 15)) + 1, 0.05, 2.5)
    for k in range(2):
        angles[:, k] = (
            on
            * lowpass(wander(r, n, log_uniform(r, 0.2, 1.5))[:, None], r.uniform(0.8, 3))[:, 0]
            * log_uniform(r, 0.1, 0.7)
        )
    linear += lowpass(noise3(r, n), r.uniform(1, 5), 2) * log_uniform(r, 0.1, 1.2) * on[:, None]
    if r.random() < 0.4:  # scrubbing, stirring: rhythmic but unsteady
        f = r.uniform(1, 4) * (1 + 0.2 * wander(r, n, 2))
        phase = 2 * np.pi * np.cumsum(f) / FS
        linear += np.outer(np.sin(phase) * (wander(r, n, 4) > 0), r.normal(size=3)) * log_uniform(r, 0.03, 0.3)
    _, body_linear = human(r, n, "wrist")
    return sensor(r, gravity(angles) + linear + body_linear, np.zeros(n, int)) + ("handled",)


def turned(r, T=240):
    """A device that turns in the hand: read, waved, passed on, and held still in between. Some sensors are poor."""
    n = int(T * FS)
    angles, bumps = tilts(r, n, log_uniform(r, 0.08, 0.8), log_uniform(r, 12, 60), (0.3, 2.2))
    linear = lowpass(noise3(r, n), r.uniform(1, 6), 2) * 3 * bumps[:, None]
    busy = np.clip(0.5 + 0.7 * wander(r, n, log_uniform(r, 2, 10)), 0.1, 1.5)[:, None]
    tilt = unit(lowpass(r.normal(size=(n, 2)), log_uniform(r, 0.3, 2), int(r.integers(1, 4))))
    angles += busy * tilt * log_uniform(r, 0.02, 0.25) * r.uniform(0.4, 1.6, 2)
    linear += unit(lowpass(noise3(r, n), log_uniform(r, 1, 6), 2)) * log_uniform(r, 0.01, 0.2) * busy
    tremor = unit(lowpass(noise3(r, n), r.uniform(6, 13), 2))
    linear += tremor * log_uniform(r, 0.002, 0.03) * busy
    _, body_linear = human(r, n, "hand")
    t, a, state = sensor(r, gravity(angles) + linear + body_linear, np.zeros(n, int))
    if r.random() < 0.25:
        a = a + r.normal(size=a.shape) * log_uniform(r, 0.003, 0.03)
    return t, a, state, "turned"


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
