"""Writes the trained activity model as a Swift source file that the library compiles in."""

import textwrap

import numpy as np

HEADER = """\
// swift-format-ignore-file
// Written by Notebooks/train-activity-model.ipynb; do not edit.
//
// Model {version}, trained {date} on
{data}
"""


def numbers(values):
    """Swift array elements that fill the lines."""
    text = ", ".join(repr(round(float(v), 5)) for v in np.ravel(values)) + ","
    return textwrap.fill(text, 119, initial_indent=" " * 8, subsequent_indent=" " * 8, break_on_hyphens=False)


def swift(model, version, date, data):
    """The source text. `data` is a list of lines that say what the model was trained on."""
    out = [HEADER.format(version=version, date=date, data="\n".join(f"// {line}" for line in data))]
    out.append("/// The weights of `ActivityClassifier`.")
    out.append("enum ActivityWeights {")
    for name, values, about in [
        ("mean", model["mean"], "Mean of each feature over the training data."),
        ("scale", model["scale"], "Standard deviation of each feature over the training data."),
        ("hidden", model["w1"], "Weights of the hidden units, a row of units for each feature."),
        ("hiddenBias", model["b1"], "Bias of each hidden unit."),
        ("output", model["w2"], "Weights of the classes, a row of classes for each hidden unit."),
        ("outputBias", model["b2"], "Bias of each class."),
        ("quiet", model["quiet"], "Log-probability of each class in a quiet window."),
        (
            "confidence",
            [list(model["confidence"][c]) for c in model["classes"][:5]],
            "For each class but the last: constant, weight of the posterior, weight of the evidence, as log-odds.",
        ),
    ]:
        gap = "" if name == "mean" else "\n"
        out.append(f"{gap}    /// {about}\n    static let {name}: [Float] = [\n{numbers(values)}\n    ]")
    out.append("\n    /// The least probability of high confidence.")
    out.append(f"    static let highConfidence: Float = {model['high']}")
    out.append("    /// The least probability of medium confidence.")
    out.append(f"    static let mediumConfidence: Float = {model['medium']}")
    out.append("}\n")
    return "\n".join(out)
