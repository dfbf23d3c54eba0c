#!/usr/bin/env python3
"""Checks the structure of Sources. Prints each problem with the files that cause it, and exits with 1 if there is one.

1. No cycle between the folders of a module, and in some folders (ACYCLIC) none between files. A file depends on the
   file that declares a type when it contains the name of the type. The files directly in the folder of a module do not
   count for folder cycles: they join the folders, or all folders share them.
2. No two types with one name: not at the top level of two modules or folders, and none with the name of a type of the
   standard library.
3. No import that the table of modules in CONTRIBUTING.md does not allow. Package.swift declares the same. The folders
   in BARE know no file and no Foundation.
4. No conversion to an integer that ends the process for an infinite value. `Footfall` declares them as deprecated, and
   the compiler finds them in the files that import it. So a file that converts numbers and has floating ones imports it.

Private types, comments and the text of strings do not count.
"""
import re
import sys
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ROOT / "Sources"
SYSTEM = {"Darwin", "Dispatch", "Foundation", "FoundationXML", "Glibc", "Musl", "Synchronization"}
STANDARD = {
    "Array", "Character", "Clock", "Dictionary", "Duration", "InlineArray", "Mirror", "MutableSpan", "Optional",
    "OutputSpan", "Range", "RawSpan", "Regex", "Result", "Set", "Slice", "Span", "String", "Task",
}
# The folders whose files must not depend on each other either. Elsewhere a type and its parts may stand in two files.
ACYCLIC = re.compile(r"Footfall(/.*)?|FootfallLive(/Connections)?")
# To decode bytes takes no file and no clock.
BARE = re.compile(r"FootfallReaders/(Text|Wire|Evidence)(/.*)?")
DECLARATION = re.compile(
    r"(?P<access>\b(?:private|fileprivate)\s+)?(?:\b(?:public|package|internal|open|final|indirect|nonisolated"
    r"|@\w+(?:\([^)]*\))?)\s+)*\b(?P<kind>struct|enum|class|actor|protocol|typealias|extension)\s+"
    r"(?P<name>[A-Z]\w*(?:\.[A-Z]\w*)*)")
IMPORT = re.compile(r"^\s*(?:@\w+\s+)*(?:(?:public|package|internal|private|fileprivate)\s+)?import\s+"
                    r"(?:(?:struct|class|enum|protocol|func|typealias|let|var)\s+)?(\w+)", re.M)
# `Int(value)`; an initializer with a label is total, or is given an integer.
CONVERSION = re.compile(r"\bU?Int(?:8|16|32|64)?(?:\((?!\s*\w+:)|\.init\b)")
FLOATING = re.compile(r"\b(?:Double|Float|TimeInterval)\b|\d\.\d")
USE = re.compile(r"(?<![\w.])(?:[A-Z]\w*)(?:\.[A-Z]\w*)*")


def code_of(text):
    """The text without comments, regular expressions and the text of strings; interpolated code stays."""
    out, i, n = [], 0, len(text)
    # The open strings: (number of #, whether it has three quotes, depth of parentheses of an open interpolation).
    strings = []
    inside = False

    def opens(at):
        match = re.match(r'(#*)("""|")', text[at:at + 16])
        return (len(match[1]), match[2] == '"""') if match else None

    while i < n:
        if inside:
            hashes, triple, _ = strings[-1]
            end = ('"""' if triple else '"') + "#" * hashes
            escape = "\\" + "#" * hashes
            if text.startswith(end, i):
                i += len(end)
                strings.pop()
                inside = False
                out.append('""')
            elif text.startswith(escape + "(", i):
                i += len(escape) + 1
                strings[-1][2] = 1
                inside = False
                out.append(" (")
            elif text.startswith(escape, i):
                i += len(escape) + 1
            else:
                if text[i] == "\n":
                    out.append("\n")
                i += 1
            continue
        if text.startswith("//", i):
            i = text.find("\n", i) if "\n" in text[i:] else n
            continue
        if text.startswith("/*", i):
            depth, i = 1, i + 2
            while depth and i < n:
                if text.startswith("/*", i):
                    depth, i = depth + 1, i + 2
                elif text.startswith("*/", i):
                    depth, i = depth - 1, i + 2
                else:
                    i += 1
            continue
        string = opens(i)
        if string:
            strings.append([string[0], string[1], 0])
            i += string[0] + (3 if string[1] else 1)
            inside = True
            continue
        # A regular expression between slashes: after an opening parenthesis, a comma, an equals sign or a colon.
        regex = re.match(r"/(?![ /*])(?:\\.|[^/\n\\])+/", text[i:i + 400]) if text[i] == "/" else None
        if regex and re.search(r"[(,=:]\s*$", "".join(out[-20:])):
            i += regex.end()
            out.append('""')
            continue
        if strings:
            strings[-1][2] += {"(": 1, ")": -1}.get(text[i], 0)
            if strings[-1][2] == 0:
                out.append(") ")
                i += 1
                inside = True
                continue
        out.append(text[i])
        i += 1
    return "".join(out)


class File:
    def __init__(self, path):
        self.path = path
        self.name = str(path.relative_to(ROOT))
        self.module = path.relative_to(SOURCES).parts[0]
        self.folder = str(path.parent.relative_to(SOURCES))
        self.code = code_of(path.read_text())
        self.declared, self.shadowed = {}, set()
        self.declarations()
        self.uses = self.used_names()

    def declarations(self):
        """Fills `declared` with the full names of the types that other files can use, `shadowed` with all names."""
        scopes = []  # The open braces: (name of the type or None, whether it is private).
        pending = None
        for match in re.finditer(DECLARATION.pattern + r"|[{}]", self.code):
            if match["name"]:
                access, kind, name = match["access"], match["kind"], match["name"]
                outer = [scope[0] for scope in scopes]
                hidden = bool(access) or any(scope[1] for scope in scopes)
                if None in outer:
                    hidden = True  # Inside a function.
                full = ".".join([part for part in outer if part] + [name])
                if kind != "extension":
                    self.shadowed.add(name)
                    if not hidden:
                        self.declared[full] = kind
                if kind != "typealias":
                    pending = (name, hidden)
            elif match[0] == "{":
                scopes.append(pending or (None, False))
                pending = None
            elif not scopes:
                sys.exit(f"{self.name}: the braces do not match; adapt {Path(__file__).name}")
            else:
                scopes.pop()
        if scopes:
            sys.exit(f"{self.name}: the braces do not match; adapt {Path(__file__).name}")

    def used_names(self):
        """The names of types in the code, with all their prefixes: `A`, `A.B`."""
        names = set()
        for match in USE.finditer(self.code):
            parts = match[0].split(".")
            if parts[0] == self.module:
                parts = parts[1:]
            names |= {".".join(parts[:count]) for count in range(1, len(parts) + 1)}
        return names


def dependencies(files):
    """From each file of a module to the files whose types it names: {(user, owner): names}."""
    owners = {}
    for file in files:
        for name in file.declared:
            owners.setdefault(name, file)
    edges = defaultdict(set)
    for file in files:
        for name in file.uses:
            owner = owners.get(name)
            if owner and owner is not file and not ("." not in name and name in file.shadowed):
                edges[file, owner].add(name)
    return edges


def cycles(edges):
    """The strongly connected components of more than one node (Tarjan, 1972)."""
    graph = defaultdict(set)
    for start, end in edges:
        graph[start].add(end)
    index, low, stack, found = {}, {}, [], []

    def visit(node):
        index[node] = low[node] = len(index)
        stack.append(node)
        for other in sorted(graph[node], key=str):
            if other not in index:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in stack:
                low[node] = min(low[node], index[other])
        if low[node] == index[node]:
            component = set()
            while node not in component:
                component.add(stack.pop())
            if len(component) > 1:
                found.append(component)

    for node in sorted(graph, key=str):
        if node not in index:
            visit(node)
    return found


def cycle_problems(files):
    problems = []
    edges = dependencies(files)
    folders = defaultdict(dict)
    for (user, owner), names in edges.items():
        if user.folder != owner.folder and user.folder != user.module and owner.folder != owner.module:
            folders[user.folder, owner.folder][user, owner] = names

    def lines(pairs):
        return [f"    {user.name} uses {', '.join(sorted(names))} of {owner.path.name}"
                for (user, owner), names in sorted(pairs.items(), key=lambda item: item[0][0].name)]

    for component in cycles(folders):
        problem = [f"the folders {', '.join(sorted(component))} depend on each other"]
        for (start, end), pairs in sorted(folders.items()):
            if start in component and end in component:
                problem += [f"  {start} -> {end}"] + lines(pairs)
        problems.append("\n".join(problem))
    strict = {(user.name, owner.name) for user, owner in edges
              if ACYCLIC.fullmatch(user.folder) and ACYCLIC.fullmatch(owner.folder)}
    for component in cycles(strict):
        pairs = {pair: names for pair, names in edges.items() if {pair[0].name, pair[1].name} <= component}
        names = ", ".join(sorted(Path(name).name for name in component))
        problems.append("\n".join([f"the files {names} depend on each other"] + lines(pairs)))
    return problems


def name_problems(files):
    places, problems = defaultdict(list), []
    for file in files:
        for name in file.declared:
            if "." not in name:
                places[name].append(file.name)
            if name.split(".")[-1] in STANDARD:
                problems.append(f"{file.name}: {name} has the name of a type of the standard library; rename it")
    return problems + [f"{name} is declared in {' and in '.join(paths)}; rename one"
                       for name, paths in sorted(places.items()) if len(paths) > 1]


def allowed_imports():
    """The table of modules in CONTRIBUTING.md.

    By module, the names it may import, None for all, and whether it may import Foundation.
    """
    rows = re.findall(r"^\| `(\w+)` \| (.*?) \| (.*?) \|$", (ROOT / "CONTRIBUTING.md").read_text(), re.M)
    table = {}
    for module, purpose, imports in rows:
        if (SOURCES / module).is_dir():
            names = None if imports == "everything" else set(re.findall(r"\w+", imports)) - {"nothing"}
            table[module] = (names, not re.search(r"\bno [^.|]*Foundation\b", purpose, re.I))
    return table


def import_problems(files):
    problems = []
    table = allowed_imports()
    for module in sorted({file.module for file in files} - set(table)):
        problems.append(f"the table of modules in CONTRIBUTING.md has no row for {module}; add it")
    for file in files:
        names, has_foundation = table.get(file.module, (None, True))
        for name in IMPORT.findall(file.code):
            if name in SYSTEM:
                is_allowed = not name.startswith("Foundation") or has_foundation and not BARE.fullmatch(file.folder)
            else:
                # A package may have several modules: GRDB, GRDBSQLite.
                is_allowed = names is None or any(
                    name == known or known not in table and name.startswith(known) for known in names)
            if not is_allowed:
                problems.append(f"{file.name} imports {name}, which the table in CONTRIBUTING.md does not allow "
                                f"for {file.module}")
    package = (ROOT / "Package.swift").read_text()
    targets = re.findall(r'\.(?:executableTarget|target)\(\s*name: "(\w+)"(.*?)\n(?=        [.\]/]|\n)', package, re.S)
    for module, text in targets:
        names = table.get(module, (None,))[0]
        declared = set(re.findall(r'"(\w+)"', text.split("dependencies:")[-1])) if "dependencies:" in text else set()
        for name in sorted(declared & set(table) - (names if names is not None else declared)):
            problems.append(
                f"Package.swift lets {module} import {name}, which the table in CONTRIBUTING.md does not allow")
    return problems


def conversion_problems(files):
    return [f"{file.name} converts floating values to integers; import Footfall, which deprecates conversions that trap"
            for file in files if file.module != "Footfall" and CONVERSION.search(file.code)
            and FLOATING.search(file.code) and "Footfall" not in IMPORT.findall(file.code)]


def main():
    files = [File(path) for path in sorted(SOURCES.rglob("*.swift"))]
    problems = name_problems(files) + import_problems(files) + conversion_problems(files)
    for module in sorted({file.module for file in files}):
        problems += cycle_problems([file for file in files if file.module == module])
    if problems:
        sys.exit("\n".join(problems) + f"\n{len(problems)} problems in the structure of Sources")
    folders = {file.folder for file in files}
    print(f"{len(files)} files in {len(folders)} folders: no cycle, no name twice, no wrong import, no conversion that traps")


main()
