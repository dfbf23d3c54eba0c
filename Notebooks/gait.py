"""The step detector of Sources/Footfall/Steps after the features, in numpy: for networks in training and for trials.

Times are in seconds, acceleration is in g with gravity. The Swift file named above a constant has the same constant with
its source; change both together. `footfall analyze --step-times` finds the same steps, nearly all to the microsecond.
"""

import numpy as np
from footfall import _training

import wave_check

RATE = 25.0  # Hz of the signal that the steps are found in
FEATURES = 49  # of the gate; the check has 25 more
# WalkingGate.swift
MOST_DEVIATION, MOST_SCORE, LEAST_CHECKED, SURE_SCORE = 4.0, 12.0, -2.0, 3.0
# WalkingGate.swift
MOST_CHECK, UNDECIDED, CHECK_WEIGHT, PRIOR, FADING, LEAST, LIMIT = 4.0, -0.25, 0.2, 2.0, 60.0, -1.0, 4.0
SURE_ODDS, AROUND, JOINED_WEIGHT, HOP_WEIGHT, EVIDENCE_WEIGHT, NO_EVIDENCE = 3.5, 3, 0.7, 0.5, 0.5, 1.0
# GaitFeatures.swift: how alike and how regular the steps of hops are; their rise in m and the log-odds for each meter above it
ALIKE, REGULAR, HOP_RISE, HOP_ODDS, GRAVITY = 0.75, 0.3, 0.035, 200.0, 9.81
AXES_STEP, AXES_STRIDE, LOG_LEVEL, LOG_CADENCE = 14, 15, 20, 23  # numbers of features
# CadenceTracker.swift
LAG, DRIFT_COST, JUMP_COST, START_COST, STOP_COST = 3, 20.0, 8.0, 0.5, 5.0
# BoutDetector.swift
MARGIN, CONFIRMATION, MOST_LEFT, FORGETTING = 1.25, 9.0, 8.0, 30.0
SURE_CONFIRMATION, SURE_CHECK = 6.0, 2.0
SHORT_EVIDENCE, SHORT_CHECK, LEAST_TRUST, SURE_CHECKS = 1.0, 1.0, 1.5, 6.0  # BoutCandidate.swift
LONGEST_PAUSE, LONGEST_WAIT = 8, 15  # s
LIVELY_SHARE, LEVEL_BEFORE, LEVEL_AFTER = 0.4, 20, 4
EDGE, EDGE_SHARE, CLOSING_SHARE = 50, 0.55, 0.2  # samples
# MovingStandardDeviation.swift, InitialContactFinder.swift; values to each side
TREND_REACH, LEVEL_REACH, PHASE_REACH, BRIDGE = 25, 11, 19, 10
STEADY_COHERENCE, CLOSING_COHERENCE = 0.85, 0.4


# The inputs of the networks, and their scores


def frames(time, acceleration):
    """By contiguous signal: first sample, samples, seconds, their cadence candidates and the features of the candidates.

    Sample m is at 0.04 m + 0.01 s and has x, y, z and magnitude below 5 Hz, and the magnitude of the rest. A second has six
    candidates in Hz, 0 for none, each with the features of the gate and those that only the check has. The library computes
    them, as for an analysis.
    """
    return [
        (signal.start, signal.values.astype(float), signal.seconds, signal.cadences.astype(float), signal.inputs)
        for signal in _training.gait_signals(time, acceleration)
    ]


def network(model, features):
    """The output of a network, which takes as many of the features as it has means."""
    x = (features[..., : len(model["mean"])] - model["mean"]) / model["scale"]
    x = np.clip(x, -MOST_DEVIATION, MOST_DEVIATION)
    units = np.maximum(x @ model["hidden"] + model["hiddenBias"], 0)
    return units @ model["output"] + x @ model["linear"] + model["bias"]


def score(model, cadences, features):
    """The log-odds of walking at each candidate."""
    return np.where(cadences > 0, np.clip(network(model, features), -MOST_SCORE, MOST_SCORE), -1e9)


def check(model, features, scores):
    """The log-odds of each second that its best candidate is gait and no other rhythm, and those that it is a hop."""
    row, best = np.arange(len(scores)), scores.argmax(1)
    own = features[row, best]
    hops = hop_odds(own)
    odds = np.maximum(np.clip(network(model, own), -MOST_CHECK, MOST_CHECK) - hops, -MOST_CHECK)
    is_checked = scores[row, best] > LEAST_CHECKED
    return np.where(is_checked, odds, 0.0), np.where(is_checked, hops, 0.0)


def hop_odds(features):
    """The log-odds against gait of seconds whose steps are alike and rise as those of hops on one spot."""
    angular = 2 * np.pi * np.exp(features[:, LOG_CADENCE])
    rise = np.sqrt(2) * (np.exp(features[:, LOG_LEVEL]) - 1e-3) * GRAVITY / angular**2
    is_hop = (features[:, AXES_STRIDE] >= REGULAR) & (features[:, AXES_STEP] >= ALIKE * features[:, AXES_STRIDE])
    return np.where(is_hop, HOP_ODDS * np.maximum(rise - HOP_RISE, 0), 0)


# From seconds to bouts to steps


def track(cadences, scores):
    """The most probable cadence (0: not on foot) of each second and its score, given LAG later seconds.

    A decision holds: the paths that contradict it are dropped.
    """
    count, width = cadences.shape
    emission = np.column_stack([np.zeros(count), scores])
    logs = np.log(np.where(cadences > 0, cadences, 1))
    best = emission[0] - np.r_[0, np.full(width, START_COST)]
    state, origin = np.zeros(count, int), np.zeros((count, width + 1), int)

    def trace(at, last, second):
        for k in range(last, second, -1):
            at = origin[k][at]
        return at

    for k in range(count):
        if k:
            move = np.zeros((width + 1, width + 1))
            move[0, 1:], move[1:, 0] = -START_COST, -STOP_COST
            move[1:, 1:] = -np.minimum(DRIFT_COST * np.abs(logs[k - 1][:, None] - logs[k][None]), JUMP_COST)
            paths = best[:, None] + move
            origin[k] = paths.argmax(0)
            best = paths.max(0) + emission[k]
            best -= best.max()
        if k >= LAG:
            before = trace(np.arange(width + 1), k, k - LAG)
            state[k - LAG] = before[best.argmax()]
            best = np.where(before == state[k - LAG], best, -np.inf)
    for k in range(max(0, count - LAG), count):
        state[k] = trace(best.argmax(), count - 1, k)
    row, column = np.arange(count), np.maximum(state - 1, 0)
    return np.where(state > 0, cadences[row, column], 0.0), np.where(state > 0, scores[row, column], 0.0)


def judged(cadence, checks, hops, waves):
    """The checks, joined with those of the wave while there is doubt, and the log-odds of each second that the rhythm is gait:
    the sum of the checks so far, which fades.
    """
    checks, odds, last = checks.copy(), np.zeros(len(cadence)), PRIOR
    joined = np.clip(JOINED_WEIGHT * (checks + waves) - HOP_WEIGHT * hops, -MOST_CHECK, MOST_CHECK)
    for second in range(len(cadence)):
        is_alone = last >= SURE_ODDS or not AROUND <= second < len(cadence) - AROUND
        last = PRIOR + (last - PRIOR) * np.exp(-1 / FADING)
        if cadence[second] > 0:
            if not is_alone:
                checks[second] = joined[second]
            last = np.clip(last + CHECK_WEIGHT * (checks[second] - UNDECIDED), LEAST, LIMIT)
        odds[second] = last
    return checks, odds


def confirmed(cadence, odds, levels, checks, check_odds):
    """The runs of seconds on foot [first, end) whose summed score and trust are high enough, and their cadence.

    A run without enough evidence lasts through a pause. The pause then belongs to it, and its cadence is interpolated.
    Soon after another run it does not, because then it has the evidence that is left. A short bout is a run too.
    """
    runs, left, usual, second = [], 0.0, 0.0, 0
    on = cadence > 0

    def is_short(first, last):
        """Whether seconds suffice if no more follow: their scores, their checks and the last sum of all checks."""
        own = np.flatnonzero(on[first : last + 1]) + first
        evidence, scores = 0.0, np.maximum(odds[own], 0)
        for value in odds[own]:
            evidence = max(0.0, evidence + value - MARGIN)
        enough = scores @ checks[own] >= SHORT_CHECK * scores.sum()
        return evidence >= SHORT_EVIDENCE and enough and check_odds[last] >= LEAST_TRUST

    sure = (odds >= SURE_SCORE) & (checks >= SURE_CHECK)
    cadence = cadence.copy()
    while second < len(cadence):
        if cadence[second] == 0:
            left *= np.exp(-1 / FORGETTING)
            second += 1
            continue
        first = last = second
        evidence, checked, needed, is_confirmed = 0.0, 0.0, CONFIRMATION, False
        while second < len(cadence):
            if cadence[second] == 0:
                if not is_confirmed and second - first > LONGEST_WAIT and is_short(first, last):
                    break
                if is_confirmed or second - last > LONGEST_PAUSE or left >= SURE_CONFIRMATION:
                    break
                left *= np.exp(-1 / FORGETTING)
                second += 1
                continue
            pause = np.arange(last + 1, second)
            cadence[pause] = np.interp(pause, [last, second], cadence[[last, second]])
            evidence = max(0.0, evidence + odds[second] - MARGIN)
            checked += checks[second]
            vouched = left if levels[second] >= LIVELY_SHARE * usual else 0.0
            needed = SURE_CONFIRMATION if sure[second] else needed
            if not is_confirmed and evidence + vouched >= needed:
                if checked >= (0 if check_odds[second] >= LEAST_TRUST else SURE_CHECKS):
                    is_confirmed, first = True, max(first, second - LONGEST_WAIT)
                else:  # of a walk in doubt only the latest steps wait
                    first = second
            last = second
            second += 1
        if not is_confirmed:
            is_confirmed, first = is_short(first, last), max(first, last - LONGEST_WAIT)
        if is_confirmed:
            runs.append((first, last + 1))
            usual = np.median(levels[max(first, last - LEVEL_BEFORE) : last + 1])
        left = min(left + evidence, MOST_LEFT)
    return runs, cadence


def moving_mean(values, reach):
    sums = np.concatenate([[0.0], np.cumsum(values)])
    index = np.arange(len(values))
    first, end = np.clip(index - reach, 0, len(values)), np.clip(index + reach + 1, 0, len(values))
    return (sums[end] - sums[first]) / (end - first)


def levels_of(level, start, seconds):
    """The root mean square of the level over each second of the signal."""
    first = np.clip(seconds * 25 - start, 0, len(level) - 1)
    end = np.clip(seconds * 25 + 25 - start, first + 1, len(level))
    sums = np.concatenate([[0.0], np.cumsum(level * level)])
    return np.sqrt((sums[end] - sums[first]) / (end - first))


def contacts(swing, level, levels, start, seconds, cadence, first, end, floor):
    """The initial contacts of a run, in fractional samples from the start of the signal, and the sample at its end."""
    count = len(swing)

    def sample(k):
        return min(max(seconds[k] * 25 - start, 0), count)

    own = levels[first:end]
    usual = np.array([np.median(own[max(0, k - LEVEL_BEFORE) : k + LEVEL_AFTER + 1]) for k in range(end - first)])
    a, b = 0 if first == 0 else sample(first), count if end == len(seconds) else sample(end)
    low, high = max(a - EDGE, floor, 0), min(b + EDGE, count)
    while a > low and level[a - 1] > EDGE_SHARE * usual[0]:
        a -= 1
    while b < high and level[b] > EDGE_SHARE * usual[-1]:
        b += 1
    a, over = max(a, low), b
    while over < high and level[over] > CLOSING_SHARE * usual[-1]:
        over += 1
    second = np.clip((np.arange(a, over) + start) // 25 - seconds[first], 0, end - first - 1)
    share = level[a:over] / np.maximum(usual[second], 1e-9)
    walks = share > LIVELY_SHARE
    walks[b - a :] = False
    edges = np.flatnonzero(np.diff(np.r_[0, walks.astype(int), 0]))
    for k in range(1, len(edges) - 1, 2):
        if edges[k + 1] - edges[k] < BRIDGE:
            walks[edges[k] : edges[k + 1]] = True
    # The integral of the cadence, corrected by the phase of the signal at that cadence.
    f = np.interp(np.arange(a, over) + start, np.asarray(seconds[first:end]) * 25 + 12, cadence[first:end])
    phase = np.cumsum(f) / RATE
    turned = swing[a:over] * np.exp(-2j * np.pi * phase)
    weights = np.hanning(2 * PHASE_REACH + 3)[1:-1]
    # Within the bout, what follows it is not known.
    smooth = np.convolve(turned, weights)[PHASE_REACH : PHASE_REACH + len(turned)]
    smooth[: b - a] = np.convolve(turned[: b - a], weights)[PHASE_REACH : PHASE_REACH + b - a]
    phase = np.maximum.accumulate(phase + np.unwrap(np.angle(smooth)) / (2 * np.pi))
    whole = np.arange(np.ceil(phase[0]), np.floor(phase[-1]) + 1)
    found = np.interp(whole, phase + 1e-9 * np.arange(len(phase)), np.arange(len(phase)))
    at = np.clip(np.round(found).astype(int), 0, len(walks) - 1)
    coherence = np.minimum(np.sqrt(2) * np.abs(smooth) / weights.sum() / np.maximum(level[a:over], 1e-4), 1)
    # The number of steps up to each contact, and the sum of their coherences.
    steps, coherences = np.cumsum(walks[at]), np.cumsum(walks[at] * coherence[at])
    closing = np.r_[False, walks[at][:-1]] & ~walks[at] & (share[at] > CLOSING_SHARE)
    closing &= (coherences >= STEADY_COHERENCE * steps) & (coherence[at] >= CLOSING_COHERENCE)
    kept = found[walks[at] | closing]
    return a + kept, over if len(kept) and kept[-1] >= b - a else b


def decode(signals, scores, checked=None):
    """The times of the steps. `checked` has the checks of each signal, the log-odds of hops and the checks of the wave."""
    steps = [np.zeros(0)]
    for k, ((start, signal, seconds, cadences, _), odds) in enumerate(zip(signals, scores)):
        if not len(seconds):
            continue
        cadence, own = track(cadences, odds)
        checks, sums = np.zeros(len(own)), np.full(len(own), LIMIT)
        if checked is not None:
            checks, sums = judged(cadence, *checked[k])
            own = own + EVIDENCE_WEIGHT * (checks - NO_EVIDENCE)
            cadence = np.where(sums < 0, 0, cadence)  # the checks add up to another rhythm than gait
        swing = signal[:, 3] - moving_mean(signal[:, 3], TREND_REACH)
        level = np.sqrt(moving_mean(swing * swing, LEVEL_REACH))
        levels, floor = levels_of(level, start, seconds), 0
        runs, cadence = confirmed(cadence, own, levels, checks, sums)
        for first, end in runs:
            found, floor = contacts(swing, level, levels, start, seconds, cadence, first, end, floor)
            steps.append((start + found) / RATE + 0.01)
    return np.concatenate(steps)


def checked(checkers, signal, scores):
    """What the two checks of other rhythms score in a signal: of the features with the log-odds of hops, and of the wave."""
    start, values, seconds, _, features = signal
    return *check(checkers[0], features, scores), wave_check.scores(checkers[1], start, values, seconds)


def found(signals, gate, checkers=None):
    """The times of the steps in the frames of a recording, with or without the checks of other rhythms."""
    scores = [score(gate, cadences, features) for *_, cadences, features in signals]
    if checkers is None:
        return decode(signals, scores)
    return decode(signals, scores, [checked(checkers, signal, odds) for signal, odds in zip(signals, scores)])
