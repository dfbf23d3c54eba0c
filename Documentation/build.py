#!/usr/bin/env python3
"""Builds the documentation of all products into one static site, and checks that it is complete.

Usage: Documentation/build.py MODULES SITE

MODULES is the folder of compiled modules, which contain the doc comments. SITE is replaced. An error with the place is printed where
- a public symbol has no doc comment, or throws and its comment does not name the error;
- the page of a product does not list one of its symbols at the top level, or one of its articles;
- a link has no target, or a documented parameter does not exist.
"""
import json
import platform
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = (ROOT / "Package.swift").read_text()
# The header documents the dynamic library for C.
PRODUCTS = re.findall(r'\.library\(name: "(\w+)", targets', PACKAGE)

ROOT_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8"/>
<meta http-equiv="refresh" content="0; url=documentation/"/>
<title>Footfall</title>
</head>
<body><p><a href="documentation/">The documentation of Footfall</a></p></body>
</html>
"""


def extract_symbols(product, modules, folder):
    """Writes the symbol graphs of a product: one for its own symbols, and one for each module that it extends."""
    folder.mkdir(parents=True)
    # C modules are not compiled: a Swift module that imports one needs its map.
    checkouts = ROOT / ".build/checkouts"
    maps = [*ROOT.glob("Sources/*/module.modulemap"), *checkouts.glob("*/Sources/*/module.modulemap"),
            *checkouts.glob("*/Sources/*/include/module.modulemap"), *modules.parent.glob("*.build/module.modulemap")]
    includes = [argument for path in [modules, *(path.parent for path in maps)] for argument in ("-I", path)]
    subprocess.run(
        ["swift", "symbolgraph-extract", "-module-name", product, "-target", f"{platform.machine()}-unknown-linux-gnu",
         *includes, "-minimum-access-level", "public", "-skip-synthesized-members", "-skip-inherited-docs",
         "-emit-extension-block-symbols", "-output-dir", folder],
        check=True)


def check_comments(product, folder):
    """Returns the number of public symbols of a product, and the problems of their comments."""
    symbols, missing = 0, []
    for path in sorted(folder.glob("*.json")):
        graph = json.loads(path.read_text())
        # The comment of a protocol's requirement serves the symbols that implement it.
        inherited = {edge["source"] for edge in graph["relationships"] if "sourceOrigin" in edge}
        for symbol in graph["symbols"]:
            comment = "\n".join(line["text"] for line in symbol.get("docComment", {}).get("lines", []))
            written = "location" in symbol and symbol["kind"]["identifier"] != "swift.extension"
            if not written or not comment and symbol["identifier"]["precise"] in inherited:
                continue
            symbols += 1
            name = ".".join([product, *symbol["pathComponents"]])
            place = "{}:{}".format(
                Path(symbol["location"]["uri"].removeprefix("file://")).relative_to(ROOT),
                symbol["location"]["position"]["line"] + 1)
            declaration = [part["spelling"] for part in symbol["declarationFragments"]]
            if not comment.strip():
                missing.append(f"{place}: {name} has no doc comment")
            elif "throws" in declaration and "throws" not in comment.lower():
                missing.append(f"{place}: {name} throws, and its comment does not name the error")
    return symbols, missing


def convert(product, graphs, archive, dependencies):
    """Makes the archive of a product. With dependencies, its pages can link to theirs, and warnings are errors."""
    strict = ["--warnings-as-errors"] if dependencies else ["--diagnostic-level", "error"]
    return subprocess.run(
        ["docc", "convert", ROOT / "Sources" / product / f"{product}.docc", "--additional-symbol-graph-dir", graphs,
         "--output-dir", archive, "--fallback-display-name", product, "--fallback-bundle-identifier", product,
         "--fallback-default-module-kind", "Library", "--enable-experimental-external-link-support", *strict,
         *(argument for path in dependencies for argument in ("--dependency", path))],
    ).returncode == 0


def uncurated(product, archive):
    """The symbols and articles that the page of a product does not list: DocC lists them in generated sections."""
    page = json.loads((archive / "data" / "documentation" / f"{product.lower()}.json").read_text())
    return [f"{product}.docc/{product}.md does not list {identifier.split('/')[-1]}"
            for section in page.get("topicSections", []) if section.get("generated")
            for identifier in section["identifiers"]]


def main():
    modules, site = (Path(argument).resolve() for argument in sys.argv[1:])
    work = site.with_name(site.name + ".parts")
    shutil.rmtree(work, ignore_errors=True)
    shutil.rmtree(site, ignore_errors=True)

    total, problems = 0, []
    for product in PRODUCTS:
        extract_symbols(product, modules, work / product)
        symbols, missing = check_comments(product, work / product)
        total += symbols
        problems += missing
    undocumented = len(problems)

    # Twice: products link to each other, and the archives of the first run are the targets of the links.
    archives = {product: work / f"{product}.first.doccarchive" for product in PRODUCTS}
    for product, archive in archives.items():
        convert(product, work / product, archive, [])
    for product in PRODUCTS:
        archive = work / f"{product}.doccarchive"
        dependencies = [other for name, other in archives.items() if name != product]
        if not convert(product, work / product, archive, dependencies):
            problems.append(f"{product}: docc reports errors above")
        elif archive.exists():
            problems += uncurated(product, archive)

    print(f"{total - undocumented} of {total} public symbols of {len(PRODUCTS)} products are documented, "
          f"{100 * (total - undocumented) / total:.1f} %")
    if problems:
        sys.exit("\n".join(problems))
    subprocess.run(
        ["docc", "merge", *(work / f"{product}.doccarchive" for product in PRODUCTS), "--output-path", site,
         "--synthesized-landing-page-name", "Footfall", "--synthesized-landing-page-kind", "Package",
         "--synthesized-landing-page-topics-style", "list"],
        check=True)
    # Without a web server's rules, the root of the site is an empty page.
    (site / "index.html").write_text(ROOT_PAGE)
    shutil.rmtree(work)
    print(f"{site.relative_to(ROOT)}: python3 -m http.server -d {site.relative_to(ROOT)} serves it")


main()
