"""The activity model in numpy: samples -> features -> classes -> states, as the library computes them.

The same stages in the library: Resampler and FeatureExtractor (features), ActivityClassifier (classify),
ActivityChain (emissions, smooth), ActivityRun (segments). Equal constants must have equal values.
"""

import numpy as np

# --- signal -----------------------------------------------------------------------------------------------------------
GRID = 50  # Hz; grid bin k covers [k, k+1)/50 s
RATE = 25  # Hz, after the half-band filter
HALF_BAND = np.array([-1, 0, 9, 16, 9, 0, -1]) / 32
GAP = 2.0  # s; a longer gap cuts the signal and resets all state
LOWEST_RATE = 8.0  # Hz, time-weighted: sum(dt)/sum(dt^2)
RATE_SPAN = 15.0  # s to each side of the middle of the second; suppresses changes of the answer by jitter
WINDOW = 128  # samples at 25 Hz: 5.12 s resolves a slow stride of 2 s and the body motion of a car
EDGES = [0.2, 0.6, 1.2, 2.0, 3.0, 4.5, 6.2]  # Hz; 6.2 Hz is about the Nyquist frequency of a 12.5 Hz sensor
WIDE = [(0.2, 1.2), (1.2, 3.0), (3.0, 6.2)]  # Hz, the bands of the vertical share and of purity
FLOOR = 2e-3  # g rms per axis: assumed sensor noise over 0..12.5 Hz; limits logarithms and shares
QUIET = 5e-3  # g rms of three axes; below it the model returns its constant for rest
HANN = 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(WINDOW) / WINDOW)
TAPER = HANN / np.sqrt(np.mean(HANN**2))
BINS = np.arange(WINDOW // 2 + 1) * RATE / WINDOW

# --- noise ------------------------------------------------------------------------------------------------------------
# White noise of any size, as from a loose cable or a broken sensor: mean and standard deviation of the first fifteen
# features, those of the bands relative to their mean. The notebook measures them on noise at 50 Hz. The library also has the
# means at lower rates, and takes windows of impulses for noise; both change few seconds of recordings.
NOISE_MEAN = np.array(
    [-0.351, -0.164, -0.027, 0.066, 0.262, 0.215, -0.545, -0.522, -0.503, -0.307, -0.369, -0.407, 0.955, 0.138, -0.150]
)
NOISE_SPREAD = np.array(
    [0.186, 0.164, 0.145, 0.142, 0.115, 0.125, 0.221, 0.162, 0.123, 0.072, 0.054, 0.039, 0.013, 0.045, 0.056]
)
NOISE_LIMIT = 2.0  # mean square deviation; white noise has 1, and recorded motion is below it in few seconds
NOISE_LEVEL = -4.3  # mean of the bands; noise below 25 mg rms may be that of a sensor at rest
NOISE = np.log([0.01, 0.01, 0.01, 0.01, 0.01, 0.95])  # the log-probability of each class in such a window

# --- suspension -------------------------------------------------------------------------------------------------------
# A device on a bicycle moves with the rider and shows the crank, or with the frame and shows the road above 8 Hz. A window in
# which both have less than half of the power of 4.5-6.2 Hz is that of a vehicle on springs, or of a hand.
FAST = (8.0, 10.5)  # Hz
FAST_MIDDLE, FAST_RATE = 9.2, 22.0  # Hz; the lowest rate of a sensor that measures this band
ATTENUATION = 2.86  # linear interpolation attenuates f at the rate r by this times (f/r)^2, as log10 of the power
SPRUNG_SHARE = 0.5  # of the power of 4.5-6.2 Hz; with 0.4 and 0.6 no recall changes by more than 0.009
SPRUNG = np.array([0.05, 0.65, 0.30])  # shares of the probability of cycling for cycling, automotive and handled

# --- states -----------------------------------------------------------------------------------------------------------
CLASSES = ["stationary", "walking", "running", "automotive", "cycling", "unknown"]
# A stopped car emits like a stationary device, and a busy hand in a car nearly like any busy hand; their neighbours differ.
STATES = ["stationary", "walking", "running", "moving car", "stopped car", "cycling", "unknown", "busy in a car"]
EMITS = [0, 1, 2, 3, 0, 4, 5, 5]
ANSWER = np.array([0, 1, 2, 3, 3, 4, 5, 3])
START = np.array([0.35, 0.20, 0.05, 0.15, 0.02, 0.08, 0.15, 0.01])  # relative
STAY = np.array([300.0, 90.0, 180.0, 180.0, 90.0, 300.0, 60.0, 90.0])  # mean stay in seconds
LEAVE = np.array(
    [  # weights of the next state (the sum of a row need not be 1)
        [0, 1, 1, 0.3, 0.03, 1, 4, 0],  # stationary: people walk to their cars
        [1, 0, 0.2, 0.3, 0.2, 0.2, 0.5, 0],  # walking: to a halted or a moving car
        [1, 1, 0, 1, 0.03, 1, 1, 0],  # running
        [0.1, 0.3, 0.02, 0, 1, 0.05, 0.05, 1],  # moving car: to a halt, or a hand becomes busy
        [0.1, 0.25, 0.02, 1.5, 0, 0.02, 0.03, 1],  # stopped car: to a moving car, or a hand becomes busy
        [1, 1, 1, 1, 0.03, 0, 1, 0],  # cycling
        [4, 1, 1, 0.3, 0.03, 1, 0, 0],  # unknown: mostly to stationary
        [0.02, 0.1, 0, 1, 1, 0, 0.03, 0],  # busy in a car: the drive nearly always continues
    ]
)
TEMPER = 0.15  # adjacent windows share 4 of 5 seconds, and errors last longer than a window
LAG = 30  # s after a second before it is settled (with half a window: 33 s)
GAP_PENALTY = 0.5  # nat per second of gait without a confirmed bout: bridges a few seconds
# In a second without steps, motion that resembles gait is pedalling or handling. It is neither a rest nor a smooth ride.
# These shares of the evidence of gait count for the states `cycling`, `unknown` and `busy in a car`.
PEDALLED, HANDLED, DRIVEN = 0.3, 0.4, 0.3
WAITING = 0.1  # the share of the evidence of rest that counts for a rider who waits
UNCLEAR = 0.5  # a segment of a lower probability is more likely wrong than right: unknown
ROAD = 0.3  # share of the seconds of a busy hand in a car that resemble a moving car

A = LEAVE / LEAVE.sum(1, keepdims=True) / STAY[:, None] + np.diag(1 - 1 / STAY)


def band(lo, hi):
    """The bins of a band, its lower edge included."""
    return (BINS >= lo) & (BINS < hi)


def pieces(time, xyz):
    """Resamples to the grid: (first cell, values of the cells, sample times) of each contiguous signal."""
    order = np.argsort(time, kind="stable")
    t = np.asarray(time, float)[order]
    a = np.asarray(xyz, float)[order]
    ok = np.isfinite(t) & np.isfinite(a).all(1)
    t, a = t[ok], a[ok]
    if len(t) < 2:
        return []
    u, inverse = np.unique(t, return_inverse=True)
    if len(u) < len(t):  # samples of equal time: their mean
        n = np.bincount(inverse)
        a = np.stack([np.bincount(inverse, a[:, i]) / n for i in range(3)], 1)
        t = u
    cuts = np.flatnonzero(np.diff(t) > GAP) + 1
    out = []
    for s, e in zip(np.r_[0, cuts], np.r_[cuts, len(t)]):
        tt, aa = t[s:e], a[s:e]
        if e - s < 2:
            continue
        k0, k1 = int(np.ceil(tt[0] * GRID - 1e-9)), int(np.floor(tt[-1] * GRID + 1e-9))
        if k1 - k0 < GRID:
            continue
        edge = np.clip(np.arange(k0, k1 + 1) / GRID, tt[0], tt[-1])
        dt = np.diff(tt)
        area = np.vstack([np.zeros(3), np.cumsum((aa[1:] + aa[:-1]) / 2 * dt[:, None], 0)])
        i = np.clip(np.searchsorted(tt, edge, "right") - 1, 0, len(tt) - 2)
        x = edge - tt[i]
        integral = area[i] + aa[i] * x[:, None] + ((aa[i + 1] - aa[i]) / dt[i][:, None]) * (x * x)[:, None] / 2
        out.append((k0, np.diff(integral, axis=0) * GRID, tt))
    return out


def effective_rate(times, centres):
    """The time-weighted sample rate over the half minute around each centre: a burst does not compensate for a gap."""
    dt = np.diff(times)
    one, two = np.r_[0, np.cumsum(dt)], np.r_[0, np.cumsum(dt * dt)]
    half = RATE_SPAN
    last = len(times) - 1
    i = np.clip(np.searchsorted(times, centres - half), 0, last)
    j = np.clip(np.searchsorted(times, centres + half), 0, last)
    return np.where(two[j] > two[i], (one[j] - one[i]) / np.maximum(two[j] - two[i], 1e-9), 0.0)


def features(grid):
    """The sixteen features, the rms and log10 of the energy in FAST of each second; None if too short.

    The grid begins at a whole second.
    """
    n = len(grid) // GRID
    g = grid[: n * GRID]
    if n < 5:
        return None
    p = np.pad(g, ((3, 3), (0, 0)), mode="edge")
    d = sum(HALF_BAND[i] * p[i : i + len(g)] for i in range(7) if HALF_BAND[i])[::2]
    if len(d) < WINDOW:
        return None
    start = np.clip((np.arange(n) * GRID + GRID // 2) // 2 - WINDOW // 2, 0, len(d) - WINDOW)
    a = d[start[:, None] + np.arange(WINDOW)]
    m = np.sqrt((a**2).sum(2))
    c = np.concatenate([a, m[:, :, None]], 2)
    c = c - c.mean(1, keepdims=True)
    rms = np.sqrt((c[:, :, :3] ** 2).sum(2).mean(1))
    X = np.fft.rfft(c * TAPER[None, :, None], axis=1)
    P = np.abs(X) ** 2 * (2 / WINDOW**2)
    S, M = P[:, :, :3].sum(2), P[:, :, 3]
    noise = 3 * FLOOR**2 * BINS[1] / (RATE / 2)  # per bin, three axes
    F = [np.log10(S[:, b].sum(1) + noise * b.sum()) for b in (band(lo, hi) for lo, hi in zip(EDGES, EDGES[1:]))]
    wide = [band(lo, hi) for lo, hi in WIDE]
    F += [np.log10((M[:, b].sum(1) + noise * b.sum() / 3) / (S[:, b].sum(1) + noise * b.sum())) for b in wide]
    for b in wide:
        Y = X[:, b, :3]
        C = np.einsum("nki,nkj->nij", Y, Y.conj()).real * (2 / WINDOW**2) + np.eye(3) * noise * b.sum() / 3
        F.append(np.log10((C * C).sum((1, 2)) / np.trace(C, axis1=1, axis2=2) ** 2))
    b = band(0.6, 6.2)
    p = S[:, b] + noise
    p = p / p.sum(1, keepdims=True)
    F.append(-(p * np.log(p)).sum(1) / np.log(b.sum()))
    j = np.diff(c[:, :, :3], axis=1)
    j = (j**2).sum(2)
    j = np.concatenate([j, j[:, -1:]], 1)
    L = np.log10(j.reshape(n, 8, 16).mean(2) + 3 * FLOOR**2)
    F += [L.max(1) - L.mean(1), L.min(1) - L.mean(1)]
    h = WINDOW // 2
    F.append(np.log10(((c[:, h:, :3].mean(1) - c[:, :h, :3].mean(1)) ** 2).sum(1) + FLOOR**2))
    fast = band(*FAST)
    return np.stack(F, 1), rms, np.log10(S[:, fast].sum(1) + noise * fast.sum())


def is_noise(F):
    """Whether each window has the features of white noise: a flat spectrum, alike in all directions and at all times."""
    level = F[:, :6].mean(1, keepdims=True)
    shape = np.hstack([F[:, :6] - level, F[:, 6:15]])
    deviation = (((shape - NOISE_MEAN) / NOISE_SPREAD) ** 2).mean(1)
    return (level[:, 0] > NOISE_LEVEL) & (deviation < NOISE_LIMIT)


def is_sprung(F, fast, rate):
    """Whether each window shows neither the crank of a bicycle nor the road of its frame, where the rate is enough."""
    frame = fast + ATTENUATION * (FAST_MIDDLE / np.maximum(rate, FAST_RATE)) ** 2
    return (rate >= FAST_RATE) & (np.maximum(F[:, 1], frame) < F[:, 5] + np.log10(SPRUNG_SHARE))


def classify(F, rms, model, sprung=False):
    """The log-probability of each class, by second. `sprung`: whether a window cannot be that of a bicycle."""
    z = (F - np.array(model["mean"])) / np.array(model["scale"])
    y = np.tanh(z @ np.array(model["w1"]) + np.array(model["b1"])) @ np.array(model["w2"]) + np.array(model["b2"])
    y = y - y.max(1, keepdims=True)
    y = y - np.log(np.exp(y).sum(1, keepdims=True))
    p = np.exp(y)
    rides = np.stack([SPRUNG[0] * p[:, 4], p[:, 3] + SPRUNG[1] * p[:, 4], p[:, 5] + SPRUNG[2] * p[:, 4]], 1)
    y[:, [4, 3, 5]] = np.where(np.reshape(sprung, (-1, 1)), np.log(rides), y[:, [4, 3, 5]])
    y = np.where(is_noise(F)[:, None], NOISE, y)
    return np.where((rms < QUIET)[:, None], np.array(model["quiet"]), y)


def emissions(logp, known, gate):
    """The likelihood of each state by second, 1 at most. `gate`: whether the second is in a bout."""
    E = TEMPER * logp[:, EMITS]
    p = np.exp(logp)
    gait = p[:, 1] + p[:, 2]
    E[:, 5] = TEMPER * np.log(p[:, 4] + PEDALLED * gait + WAITING * p[:, 0])
    E[:, 6] = TEMPER * np.log(p[:, 5] + HANDLED * gait)
    E[:, 7] = TEMPER * np.log((1 - ROAD) * p[:, 5] + ROAD * p[:, 3] + DRIVEN * gait)
    E[:, 1:3] -= GAP_PENALTY * ~gate[:, None]
    E[~known] = 0  # too few samples: no evidence
    for s in (0, 3, 4, 5, 6, 7):
        E[gate, s] = -np.inf
    return np.exp(E - E.max(1, keepdims=True))


def smooth(B, lag=LAG):
    """The probability of each state given `lag` later seconds, and given none (provisional)."""
    n = len(B)
    al = np.zeros((n, len(STATES)))
    p = START
    for t in range(n):
        p = (p if t == 0 else p @ A) * B[t]
        p = p / p.sum()
        al[t] = p
    be = np.ones((n, len(STATES)))
    for step in range(lag, 0, -1):  # for all seconds at once: beta of `step` later seconds
        k = max(n - step, 0)
        nb = be.copy()
        nb[:k] = (B[step:] * be[:k]) @ A.T if step < n else nb[:k]
        be = nb / nb.sum(1, keepdims=True)
    out = al * be
    return out / out.sum(1, keepdims=True), al


def answers(post):
    """The probabilities of the classes: moving and stopped cars are one class."""
    out = np.zeros((len(post), 6))
    for s in range(len(STATES)):
        out[:, ANSWER[s]] += post[:, s]
    return out


def logit(p):
    """Log-odds, clipped."""
    p = np.clip(p, 1e-3, 1 - 1e-3)
    return np.log(p / (1 - p))


def segments(second0, state, answer, logp):
    """Runs of one answer, with the means since the run began that the probability of each second derives from."""
    out = []
    cuts = np.flatnonzero(np.diff(state)) + 1
    for s, e in zip(np.r_[0, cuts], np.r_[cuts, len(state)]):
        c = state[s]
        p = np.exp(logp[s:e])
        own = p[:, c] + (p[:, 0] + p[:, 5] if c == 3 else 0) * 0.5
        means = dict(posterior=running_mean(answer[s:e, c]), evidence=running_mean(own))
        out.append(dict(start=int(second0 + s), end=int(second0 + e), activity=CLASSES[c], **means))
    return out


def running_mean(values):
    """The mean from the first value to each; in the first five seconds that of the five."""
    means = np.cumsum(values) / np.arange(1, len(values) + 1)
    means[:5] = means[:5][-1]
    return means


def graded(segment, grades):
    """The calibrated probability of each second of a segment and its grade."""
    if segment["activity"] not in grades["confidence"]:
        return segment["posterior"], np.full(len(segment["posterior"]), "low")
    a, b, d = grades["confidence"][segment["activity"]]
    q = 1 / (1 + np.exp(-(a + b * logit(segment["posterior"]) + d * logit(segment["evidence"]))))
    return q, np.where(q >= grades["high"], "high", np.where(q >= grades["medium"], "medium", "low"))
