#!/usr/bin/env python3
"""Writes the manual pages of the command: one of `footfall`, and one of each command and topic, such as footfall-query(1)
and footfall-help-units(1).

Usage: Documentation/manual.py FOOTFALL FOLDER

The text comes from the help of the built command, so nothing is compiled.
"""
import json
import re
import subprocess
import sys
from pathlib import Path

# The codes of Sources/FootfallCommand/FailureReport.swift. A test compares them.
EXIT_CODES = {
    0: "The command did what it was asked for.",
    1: "A failure that has no code of its own, such as a full disk or a history that another process records into.",
    3: "The range has no data, and --require-data is given.",
    4: "A part of the results is not in the history: it is older than the history keeps, or another trace replaced it.",
    64: "The command line is invalid.",
    65: "The input cannot be used, or a history is damaged.",
    66: "The input, or the folder of an output, does not exist, or the input cannot be read.",
    73: "A file is in the place of an output.",
    74: "A device cannot be opened, or an address is not there yet. A later attempt may succeed.",
    77: "The user has no permission for a file, a folder or a device.",
    78: "The server or the device cannot start as it is set up, until somebody changes that.",
    130: "SIGINT ended the command before its results were complete.",
    143: "SIGTERM ended the command before its results were complete.",
}


# The topics of `footfall help`: Sources/FootfallCommand/Commands/HelpTopic.swift. A test compares them.
TOPICS = ["cut-points", "units", "recording"]


def escaped(text):
    """A text for roff, which reads backslashes, hyphens, and dots and quotes at the start of a line."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"^(?=[.'])", r"\\&", text, flags=re.MULTILINE)


def option(argument):
    """The names of an option in bold, then its value in italics."""
    names = argument.get("names", [])
    dashes = {"short": "-", "long": "--", "longWithSingleDash": "-"}
    forms = sorted((dashes[name["kind"]] + name["name"] for name in names), key=lambda form: form.startswith("--"))
    text = ", ".join(f"\\fB{escaped(form)}\\fR" for form in forms)
    return text + (f" \\fI{escaped(argument['valueName'])}\\fR" if argument["kind"] == "option" else "")


def synopsis(name, command):
    """The line of the command: a place for its options, and each argument."""
    words = [f"\\fB{escaped(name)}\\fR"]
    if command.get("subcommands"):
        return " ".join(words + ["\\fIcommand\\fR", "[\\fIoptions\\fR]"])
    words.append("[\\fIoptions\\fR]")
    for argument in command["arguments"]:
        if argument["kind"] == "positional":
            word = f"\\fI{escaped(argument['valueName'])}\\fR" + (" ..." if argument["isRepeating"] else "")
            words.append(f"[{word}]" if argument["isOptional"] else word)
    return " ".join(words)


def paragraphs(text):
    """The text of the help: blocks of indented lines keep their lines."""
    lines = []
    for block in text.split("\n\n"):
        rows = block.split("\n")
        is_code = len(rows) > 1 or rows[0].startswith("  ")
        lines += [".PP", *([".nf"] if is_code else []), escaped(block), *([".fi"] if is_code else [])]
    return lines


def page(path, command, commands):
    """The page of a command. `path` has its words, `commands` all pages."""
    title = "-".join(path)
    abstract = command["abstract"].rstrip(".")
    lines = [
        f'.TH "{title.upper()}" "1" "" "Footfall" "User Commands"', ".SH NAME",
        f"{escaped(title)} \\- {escaped(abstract[:1].lower() + abstract[1:])}",
        ".SH SYNOPSIS", synopsis(" ".join(path), command),
    ]
    if command.get("discussion"):
        lines += [".SH DESCRIPTION", *paragraphs(command["discussion"])[1:]]
    shown = [argument for argument in command["arguments"] if argument["shouldDisplay"]]
    for heading, kinds in [("ARGUMENTS", ["positional"]), ("OPTIONS", ["option", "flag"])]:
        chosen = [argument for argument in shown if argument["kind"] in kinds]
        lines += [f".SH {heading}"] if chosen else []
        for argument in chosen:
            head = option(argument) or f"\\fI{escaped(argument['valueName'])}\\fR"
            lines += [".TP", head, escaped(argument.get("abstract", ""))]
    children = [child for child in command.get("subcommands", []) if child["commandName"] != "help"]
    lines += [".SH COMMANDS"] if children else []
    for child in children:
        lines += [".TP", f"\\fB{escaped('-'.join([*path, child['commandName']]))}\\fR(1)", escaped(child["abstract"])]
    lines.append(".SH EXIT STATUS")
    for code, meaning in EXIT_CODES.items():
        lines += [".TP", f"\\fB{code}\\fR", escaped(meaning)]
    near = [other for other in commands if other != path and other[:len(path) - 1] == path[:-1] and len(other) <= len(path)]
    near += [path[:-1]] if len(path) > 1 and path[:-1] not in near else []
    if near:
        names = [f"\\fB{escaped('-'.join(other))}\\fR(1)" for other in near]
        lines += [".SH SEE ALSO", ",\n".join(names)]
    return "\n".join(lines) + "\n"


def pages(path, command):
    """All commands below one, each with its words."""
    found = [(path, command)]
    for child in command.get("subcommands", []):
        if child["commandName"] != "help" and child["shouldDisplay"]:
            found += pages([*path, child["commandName"]], child)
    return found


def topic_page(topic, text):
    """The page of a topic: a line with its title, then paragraphs, of which indented ones keep their lines."""
    title, *blocks = text.rstrip().split("\n\n")
    blocks = [block if block.startswith(" ") else " ".join(block.split("\n")) for block in blocks]
    name = f"footfall-help-{topic}"
    lines = [
        f'.TH "{name.upper()}" "1" "" "Footfall" "User Commands"', ".SH NAME",
        f"{escaped(name)} \\- {escaped(title[:1].lower() + title[1:])}",
        ".SH DESCRIPTION", *paragraphs("\n\n".join(blocks))[1:], ".SH SEE ALSO", "\\fBfootfall\\fR(1)",
    ]
    return "\n".join(lines) + "\n"


def main():
    command, folder = sys.argv[1], Path(sys.argv[2])
    text = subprocess.run([command, "--experimental-dump-help"], check=True, capture_output=True, text=True).stdout
    root = json.loads(text)["command"]
    found = pages([root["commandName"]], root)
    folder.mkdir(parents=True, exist_ok=True)
    for path, described in found:
        (folder / ("-".join(path) + ".1")).write_text(page(path, described, [path for path, _ in found]))
    for topic in TOPICS:
        text = subprocess.run([command, "help", topic], check=True, capture_output=True, text=True).stdout
        (folder / f"footfall-help-{topic}.1").write_text(topic_page(topic, text))


main()
