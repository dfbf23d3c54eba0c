"""The activity model in numpy after its features: windows -> classes -> states, as the library computes them.

The same stages in the library: ActivityClassifier (classify), ActivityChain (emissions, smooth), ActivityRun (segments). Equal
constants must have equal values. The windows come from the library, as for an analysis.
"""

import numpy as np

import activity_wave

LOWEST_RATE = 8.0  # Hz; the library reports rest from 4 Hz on
QUIET = 5e-3  # g rms of three axes; below it the model returns its constant for rest
NOISE = np.log([0.01, 0.01, 0.01, 0.01, 0.01, 0.95])  # the log-probability of each class in a window of noise
# The probability of a class from which on the features leave no doubt, and the share of the wave below (ActivityClassifier.swift).
SURE, WAVE_SHARE = 0.8, 0.5
# Shares of the probability of cycling for cycling, automotive and handled, where a window shows no bicycle (ActivityClassifier.swift).
SPRUNG = np.array([0.05, 0.65, 0.30])
# A body that sways (ActivityClassifier.swift): log₁₀ of its least ratio of energies and of its least linearity, its most motion in g,
# and the share of automotive that remains. The rest counts for stationary.
SWAY_RATIO, SWAY_LINE, SWAY_MOTION, SWAY_SHARE = 1.15, -0.12, 0.2, 0.05

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


def network(F, model):
    """The log-probability of each class, by window."""
    z = (F - np.array(model["mean"])) / np.array(model["scale"])
    y = np.tanh(z @ np.array(model["w1"]) + np.array(model["b1"])) @ np.array(model["w2"]) + np.array(model["b2"])
    y = y - y.max(1, keepdims=True)
    return y - np.log(np.exp(y).sum(1, keepdims=True))


def classify(piece, model):
    """The log-probability of each class, by second of a signal. Some windows are classified without the networks."""
    y = network(piece["features"].astype(float), model)
    mean = (1 - WAVE_SHARE) * y + WAVE_SHARE * activity_wave.logs(model["wave"], piece)
    unsure = y.max(1, keepdims=True) < np.log(SURE)
    y = np.where(unsure, mean - np.log(np.exp(mean).sum(1, keepdims=True)), y)
    p = np.exp(y)
    rides = np.stack([SPRUNG[0] * p[:, 4], p[:, 3] + SPRUNG[1] * p[:, 4], p[:, 5] + SPRUNG[2] * p[:, 4]], 1)
    y[:, [4, 3, 5]] = np.where(piece["sprung"][:, None], np.log(rides), y[:, [4, 3, 5]])
    x = piece["features"]
    sways = (x[:, 0] - x[:, 3:6].mean(1) > SWAY_RATIO) & (x[:, 9] > SWAY_LINE) & (piece["rms"] < SWAY_MOTION)
    p = np.exp(y)
    rests = np.stack([p[:, 0] + (1 - SWAY_SHARE) * p[:, 3], SWAY_SHARE * p[:, 3]], 1)
    y[:, [0, 3]] = np.where(sways[:, None], np.log(rests), y[:, [0, 3]])
    y = np.where(piece["noise"][:, None], NOISE, y)
    return np.where((piece["rms"] < QUIET)[:, None], np.array(model["quiet"]), y)


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
