"""The step detector of Sources/Footfall/Steps in numpy, for training and for experiments.

Times are in seconds, acceleration is in g with gravity. The Swift file named above a constant has the same constant with
its source; change both together. `footfall analyze --step-times` finds the same steps, nearly all to the microsecond.
"""

import numpy as np

# Resampler.swift, LowPass.swift, StepDetector.swift
GRID, GAP = 50.0, 2.0  # Hz of the analysis grid; s, a longer gap cuts the signal
TAPS, CUTOFF = 49, 5.0  # low-pass: Hamming-windowed sinc, Hz
RATE = 25.0  # Hz after the low-pass
# GaitSpectrum.swift, GaitFeatures.swift
LONG, LONG_FFT, LONG_LAGS = 150, 256, 76  # samples: 6 s, once a second
SHORT, SHORT_FFT, SHORT_LAGS = 76, 128, 60  # samples: the 3 s in its middle
BAND = (0.4, 6.5)  # Hz
STILLNESS = 0.008  # g
CADENCES = (0.75, 4.2)  # Hz
PEAKS, LEAST_PEAK, APART, CANDIDATES = 4, 0.01, 0.07, 6
MOST_RISE, FAST, MOST_FAST_RISE, MOST_SWING = 0.075, 2.0, 0.15, 3.5  # m; Hz; m; times the deviation of the magnitude
# PureTone.swift
TONE_SHARE, TONE_REACH = 0.98, 0.3
# WalkingGate.swift
MOST_DEVIATION, MOST_SCORE, LEAST_CHECKED, SURE_SCORE = 4.0, 12.0, -2.0, 3.0
# WalkingCheck.swift
MOST_CHECK, UNDECIDED, CHECK_WEIGHT, PRIOR, FADING, LIMIT = 4.0, -0.25, 0.15, 2.0, 60.0, 4.0
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

FEATURES = 49  # of the gate; the check has ROUGH, SHAPE and DIRECTION more
ROUGH, ROUGH_FLOOR = 5, 2e-3  # GaitRoughness.swift; g
SHAPE, STRONG = 6, 5.0  # GaitShape.swift; the size of a full line, relative to the root of the sum of squares
DIRECTION = 14  # GaitDirection.swift


# Signal


def resample(time, acceleration):
    """Each contiguous signal as (number of the first cell, cells). A cell is the mean of the linear interpolant."""
    usable = np.isfinite(time) & np.isfinite(acceleration).all(1)
    time, acceleration = time[usable], acceleration[usable]
    if len(time) < 2:
        return []
    forward = np.r_[True, time[1:] > np.maximum.accumulate(time)[:-1]]
    time, acceleration = time[forward], acceleration[forward]
    signals = []
    for index in np.split(np.arange(len(time)), np.nonzero(np.diff(time) > GAP)[0] + 1):
        if len(index) < 2:
            continue
        t, a = time[index], acceleration[index]
        first, end = int(np.ceil(t[0] * GRID - 1e-9)), int(np.floor(t[-1] * GRID + 1e-9))
        if end - first < 1:
            continue
        edges = np.arange(first, end + 1) / GRID
        steps = np.diff(t)
        areas = np.vstack([np.zeros(3), np.cumsum(0.5 * (a[1:] + a[:-1]) * steps[:, None], 0)])
        j = np.clip(np.searchsorted(t, edges, side="right") - 1, 0, len(t) - 2)
        past = (edges - t[j])[:, None]
        integral = areas[j] + a[j] * past + 0.5 * (a[j + 1] - a[j]) / steps[j][:, None] * past * past
        signals.append((first, np.diff(integral, axis=0) * GRID))
    return signals


def low_pass(first, cells):
    """The number of the first sample, and samples at RATE: x, y, z, the magnitude, and the norm of what the filter removes.

    Sample m is at 0.04 m + 0.01 s.
    """
    n = np.arange(TAPS) - TAPS // 2
    taps = 2 * CUTOFF / GRID * np.sinc(2 * CUTOFF / GRID * n) * np.hamming(TAPS)
    taps /= taps.sum()
    padded = np.vstack([np.repeat(cells[:1], TAPS // 2, 0), cells, np.repeat(cells[-1:], TAPS // 2, 0)])
    smooth = np.stack([np.convolve(padded[:, c], taps, mode="valid") for c in range(3)], 1)[first % 2 :: 2]
    rough = cells[first % 2 :: 2] - smooth
    norms = [np.sqrt((part**2).sum(1)) for part in (smooth, rough)]
    return (first + first % 2) // 2, np.column_stack([smooth, *norms])


# The features of each cadence candidate


def hann(count):
    return 0.5 - 0.5 * np.cos(2 * np.pi * (np.arange(count) + 0.5) / count)


class Window:
    """A window length with the tables of its transform."""

    def __init__(self, count, transform, lags, least_correlation):
        self.hann, self.transform, self.lags = hann(count), transform, lags
        self.width = RATE / transform
        self.first, self.last = int(np.ceil(BAND[0] / self.width)), int(np.floor(BAND[1] / self.width))
        own = np.fft.irfft(np.abs(np.fft.rfft(self.hann, transform)) ** 2, transform)[:lags]
        self.own = np.maximum(own / own[0], least_correlation)

    def measure(self, windows, present):
        """Weighted mean, deviations, weights, and (shares, power, correlation, power below) of magnitude and axes."""
        weights = present * self.hann
        sums = weights.sum(1) + 1e-9
        mean = np.einsum("wn,wnc->wc", weights, windows) / sums[:, None]
        deviations = (windows - mean[:, None]) * present[:, :, None]
        power = np.abs(np.fft.rfft(deviations * self.hann[None, :, None], self.transform, axis=1)) ** 2
        shapes = []
        for part in (power[:, :, 3], power[:, :, :3].sum(2)):
            below = part[:, 1 : self.first].sum(1)
            part = part.copy()
            part[:, : self.first] = 0
            part[:, self.last + 1 :] = 0
            total = part.sum(1) + 1e-12
            shares = part / total[:, None]
            correlation = np.fft.irfft(shares, self.transform, axis=1)[:, : self.lags]
            shapes.append((shares, total, correlation / correlation[:, :1] / self.own, below))
        return mean, deviations, sums, shapes


LONG_WINDOW = Window(LONG, LONG_FFT, LONG_LAGS, -1)
SHORT_WINDOW = Window(SHORT, SHORT_FFT, SHORT_LAGS, 0.05)


def at(table, position):
    """Rows of a table at fractional indices, by linear interpolation."""
    position = np.clip(position, 0, table.shape[1] - 1.001)
    index = position.astype(int)
    fraction = position - index
    row = np.arange(len(table))[:, None]
    return table[row, index] * (1 - fraction) + table[row, index + 1] * fraction


def spread(shares):
    wide = shares.copy()
    wide[:, 1:] += shares[:, :-1]
    wide[:, :-1] += shares[:, 1:]
    return wide


def offers(shares):
    """The strongest spectral peaks, and their double and half frequencies, in Hz; 0 for none."""
    row = np.arange(len(shares))[:, None]
    peak = np.zeros_like(shares, bool)
    peak[:, 1:-1] = (shares[:, 1:-1] > shares[:, :-2]) & (shares[:, 1:-1] >= shares[:, 2:])
    heights = np.where(peak, shares, 0)
    top = np.argsort(-heights, axis=1, kind="stable")[:, :PEAKS]
    before, middle, after = (
        np.log(shares[row, np.clip(top + k, 0, shares.shape[1] - 1)] + 1e-9) for k in (-1, 0, 1))
    curvature = before - 2 * middle + after
    offset = np.where(curvature < 0, 0.5 * (before - after) / np.where(curvature == 0, -1, curvature), 0)
    p = np.where(heights[row, top] > LEAST_PEAK, (top + np.clip(offset, -0.5, 0.5)) * LONG_WINDOW.width, 0)
    return [p, 2 * p, p / 2]


def candidates(norm, axes, level, swing):
    """The cadence candidates of a window in Hz, the most regular first; 0 for none."""
    offered = np.concatenate(offers(norm[0]) + offers(axes[0]), 1)
    fits = (offered >= CADENCES[0]) & (offered <= CADENCES[1]) & (level > STILLNESS)[:, None]
    fits &= (swing <= MOST_SWING * level)[:, None]
    rise = np.where(offered < FAST, MOST_RISE, MOST_FAST_RISE)
    fits &= np.sqrt(2) * level[:, None] * 9.81 <= rise * (2 * np.pi * offered) ** 2
    safe = np.where(fits, offered, 1.0)
    rank = np.where(fits, at(norm[2], RATE / safe) + at(axes[2], 2 * RATE / safe), -9.0)
    chosen = np.zeros((len(level), CANDIDATES))
    row = np.arange(len(level))
    for k in range(CANDIDATES):
        best = np.argmax(rank, 1)
        chosen[:, k] = np.where(rank[row, best] > -5, offered[row, best], 0)
        rank = np.where(np.abs(np.log(safe / safe[row, best][:, None])) < APART, -9.0, rank)
    return chosen


def thirds(energy, present):
    """The log ratios of amplitude of the middle third, and of the quieter outer third, to the whole window."""
    whole = energy.sum(1) / present.sum(1) + 1e-7

    def part(first):
        count = present[:, first : first + 50].sum(1)
        return np.where(count > 5, energy[:, first : first + 50].sum(1) / np.maximum(count, 1), whole)

    left, middle, right = part(0), part(50), part(100)
    edge = np.minimum(left, right)
    return [0.5 * np.log((middle + 1e-7) / whole), 0.5 * np.log((edge + 1e-7) / whole)]


def turned_lines(values, cadences):
    """The lines of values (windows, LONG, channels) at ½, 1 and 2 times each cadence: (windows, CANDIDATES, channels) each."""
    time = (np.arange(LONG) - LONG // 2) / RATE
    turn = np.exp(-1j * np.pi * cadences[:, :, None] * time)
    lines = []
    for _ in range(3):
        lines.append(turn @ values)
        turn = turn * turn  # of twice the frequency
    return lines


def rough_deviations(rough, present):
    """The weighted deviations of the motion above CUTOFF, its level and peakedness, and what makes its lines shares."""
    weights = present * LONG_WINDOW.hann
    sums = weights.sum(1) + 1e-9
    mean = (weights * rough).sum(1) / sums
    squares, fourths = ((weights * rough**power).sum(1) / sums for power in (2, 4))
    level = np.sqrt(squares) + ROUGH_FLOOR
    common = [np.log(level), 0.5 * np.log((fourths + ROUGH_FLOOR**4) / level**4)]
    return weights * (rough - mean[:, None]), common, sums * (mean + ROUGH_FLOOR)


def wave_shape(tapered, lines):
    """Anisotropy of the axes, skewness of the magnitude, and the phases of its half line and line relative to their doubles."""
    magnitude = tapered[:, :, 3]
    products = tapered[:, :, :3].transpose(0, 2, 1) @ tapered[:, :, :3]
    anisotropy = (products**2).sum((1, 2)) / (np.trace(products, axis1=1, axis2=2) + 1e-9) ** 2
    squares = (magnitude**2).sum(1) + 1e-9
    skewness = (magnitude**3).sum(1) / squares**1.5 * LONG**0.5
    half, whole, double = lines
    features = [np.broadcast_to(value[:, None], half.shape) for value in (anisotropy, skewness)]
    for once, twice in ((half, whole), (whole, double)):
        strength = np.minimum(np.minimum(np.abs(once), np.abs(twice)) / (STRONG * np.sqrt(squares))[:, None], 1)
        turned = once**2 * np.conj(twice)
        turned = turned / (np.abs(turned) + 1e-12) * strength
        features += [turned.real, turned.imag]
    return features


def directions(axes, mean):
    """The directions of the lines of the axes, relative to gravity and to each other."""
    up = mean[:, :3] / (np.linalg.norm(mean[:, :3], axis=1, keepdims=True) + 1e-9)
    powers = [(part.real**2 + part.imag**2).sum(2) + 1e-9 for part in axes]
    vertical = [(part @ up[:, :, None])[:, :, 0] for part in axes]
    squared = [(part * part).sum(2) for part in axes]
    features = [np.abs(v) ** 2 / p for v, p in zip(vertical, powers)]
    features += [np.abs(s) / p for s, p in zip(squared, powers)]
    for k in (0, 1):
        normal = 2 * np.cross(axes[k].real, axes[k].imag) / powers[k][:, :, None]
        features.append((normal @ up[:, :, None])[:, :, 0] ** 2)
        product = 4 * vertical[k] ** 2 * np.conj(squared[k] - vertical[k] ** 2) / powers[k] ** 2
        features += [product.real, product.imag]
        together = np.abs((axes[k] * np.conj(axes[k + 1])).sum(2))
        features.append(together / np.sqrt(powers[k] * powers[k + 1]))
    return features


def entropy(shares):
    """The entropy of the band, divided by its largest possible value."""
    band = shares[:, LONG_WINDOW.first : LONG_WINDOW.last + 1]
    return -(band * np.log(band + 1e-9)).sum(1) / np.log(band.shape[1])


def is_tone(norm, axes):
    """Whether the shares of the magnitude and of the axes lie near one line: a rhythm that no body makes."""
    band = np.arange(norm.shape[1])
    band = band[(band >= LONG_WINDOW.first) & (band <= LONG_WINDOW.last)]
    strongest = band[norm[:, band].argmax(1)]
    reach = np.maximum(2 * LONG_FFT // LONG + 1, (TONE_REACH * strongest).astype(int))
    near = np.abs(band[None] - strongest[:, None]) <= reach[:, None]
    return ((norm[:, band] * near).sum(1) >= TONE_SHARE) & ((axes[:, band] * near).sum(1) >= TONE_SHARE)


def weigh(windows, present):
    """Cadences (windows, CANDIDATES) in Hz, 0 for none, and the features of each: of the gate, ROUGH, SHAPE and DIRECTION."""
    present, rough, windows = present.astype(float), windows[:, :, 4], windows[:, :, :4]
    mean, deviations, sums, (norm, axes) = LONG_WINDOW.measure(windows, present)
    inner = slice(LONG // 2 - SHORT // 2, LONG // 2 - SHORT // 2 + SHORT)
    _, _, short_sums, (short_norm, short_axes) = SHORT_WINDOW.measure(windows[:, inner], present[:, inner])
    scale = LONG / (LONG_FFT * (LONG_WINDOW.hann**2).sum())
    norm_level, axes_level = np.sqrt(norm[1] / sums * scale), np.sqrt(axes[1] / sums * scale)
    cadences = candidates(norm, axes, norm_level, axes_level)
    cadences[is_tone(norm[0], axes[0])] = 0
    has = cadences > 0
    f = np.where(has, cadences, 1.0)
    line, step = f / LONG_WINDOW.width, RATE / f

    roots, correlations, combs = [], [], []
    for shares, _, correlation, _ in (norm, axes):
        wide = spread(shares)
        on = [np.maximum(at(wide, m * line), 0) for m in (0.5, 1, 1.5, 2, 3)]
        roots += [np.sqrt(value) for value in on]
        correlations += [at(correlation, m * step) for m in (0.5, 1, 2)]
        combs += [on[1] + on[3] + on[4], on[0] + on[2]]

    def column(value):
        return np.broadcast_to(value[:, None], f.shape)

    def behind(value):
        return value - np.where(has, value, -9).max(1)[:, None]

    norm_energy, axes_energy = deviations[:, :, 3] ** 2, (deviations[:, :, :3] ** 2).sum(2)
    crest = np.abs(deviations[:, :, 3]).max(1)
    shared = [entropy(norm[0]), entropy(axes[0])] + thirds(norm_energy, present) + thirds(axes_energy, present)
    shared += [sums / LONG_WINDOW.hann.sum(), np.log(crest / (norm_level + 1e-3) + 0.1), np.log(mean[:, 3] + 0.1)]
    short_line = f / SHORT_WINDOW.width
    short = [
        np.sqrt(np.maximum(at(spread(shape[0]), m * short_line), 0))
        for shape in (short_norm, short_axes) for m in (0.5, 1, 2)
    ]
    short += [at(short_norm[2], step), at(short_axes[2], step), at(short_axes[2], np.minimum(2 * step, 40))]
    change = [
        0.5 * np.log((s[1] / SHORT_FFT / short_sums + 1e-6) / (l[1] / LONG_FFT / sums + 1e-6))
        for s, l in ((short_norm, norm), (short_axes, axes))
    ]
    features = roots + correlations + combs
    features += [column(np.log(norm_level + 1e-3)), column(np.log(axes_level + 1e-3))]
    features += [column(np.log(axes[3] / axes[1] + 1e-3)), np.log(f), (np.log(f) - 0.6) ** 2]
    features += [behind(correlations[1]), behind(correlations[5]), behind(roots[1])]
    features += [behind(combs[0] + combs[2] + combs[3])]
    features += [column(value) for value in shared] + short + [column(value) for value in change]
    tapered = deviations * LONG_WINDOW.hann[None, :, None]
    rough, roughness, whole = rough_deviations(rough, present)
    lines = turned_lines(np.concatenate([tapered, rough[:, :, None]], 2).astype(complex), f)
    features += [column(value) for value in roughness] + [np.abs(part[:, :, 4]) / whole[:, None] for part in lines]
    features += wave_shape(tapered, [part[:, :, 3] for part in lines]) + directions([part[:, :, :3] for part in lines], mean)
    return cadences, np.where(has[:, :, None], np.stack(features, 2), 0.0).astype(np.float32)


def frames(time, acceleration):
    """By contiguous signal: first sample, samples, seconds, their candidates and the features of the candidates."""
    result = []
    for first, cells in resample(np.asarray(time, float), np.asarray(acceleration, float)):
        start, signal = low_pass(first, cells)
        if len(signal) < RATE:
            continue
        seconds = np.arange(int(np.ceil((start - 12) / 25)), (start + len(signal) - 13) // 25 + 1)
        index = (seconds * 25 + 12 - start)[:, None] + np.arange(-LONG // 2, LONG // 2)[None]
        present = (index >= 0) & (index < len(signal))
        cadences, features = weigh(signal[np.clip(index, 0, len(signal) - 1)], present)
        result.append((start, signal, seconds, cadences, features))
    return result


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
    """The log-odds of each second that its best candidate is gait and no other rhythm."""
    row, best = np.arange(len(scores)), scores.argmax(1)
    odds = np.clip(network(model, features[row, best]), -MOST_CHECK, MOST_CHECK)
    return np.where(scores[row, best] > LEAST_CHECKED, odds, 0.0)


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


def check_odds(cadence, checks):
    """The log-odds of each second that the rhythm is gait: the sum of the checks so far, which fades."""
    odds, last = np.zeros(len(cadence)), PRIOR
    for second in range(len(cadence)):
        last = PRIOR + (last - PRIOR) * np.exp(-1 / FADING)
        if cadence[second] > 0:
            last = np.clip(last + CHECK_WEIGHT * (checks[second] - UNDECIDED), -LIMIT, LIMIT)
        odds[second] = last
    return odds


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


def decode(signals, scores, checks=None):
    """The times of the steps."""
    steps = [np.zeros(0)]
    for k, ((start, signal, seconds, cadences, _), odds) in enumerate(zip(signals, scores)):
        if not len(seconds):
            continue
        cadence, own = track(cadences, odds)
        own_checks, own_odds = np.zeros(len(own)), np.full(len(own), LIMIT)
        if checks is not None:
            own_checks, own_odds = checks[k], check_odds(cadence, checks[k])
            cadence = np.where(own_odds < 0, 0, cadence)  # the checks add up to another rhythm than gait
        swing = signal[:, 3] - moving_mean(signal[:, 3], TREND_REACH)
        level = np.sqrt(moving_mean(swing * swing, LEVEL_REACH))
        levels, floor = levels_of(level, start, seconds), 0
        runs, cadence = confirmed(cadence, own, levels, own_checks, own_odds)
        for first, end in runs:
            found, floor = contacts(swing, level, levels, start, seconds, cadence, first, end, floor)
            steps.append((start + found) / RATE + 0.01)
    return np.concatenate(steps)


def found(signals, gate, checker=None):
    """The times of the steps in the frames of a recording, with or without the check of other rhythms."""
    scores = [score(gate, cadences, features) for *_, cadences, features in signals]
    if checker is None:
        return decode(signals, scores)
    checks = [check(checker, x, odds) for (*_, x), odds in zip(signals, scores)]
    return decode(signals, scores, checks)
