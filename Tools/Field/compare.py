#!/usr/bin/env python3
"""Compares reports of real programs with human judgements.

    Tools/Field/compare.py DIRECTORY RUNS NAME…

Reads DIRECTORY/NAME.RUN.json for each of the runs, the output of `queuescope report --format json`, and
judgements/NAME.json next to this script. `Tools/field` calls it.

Exit codes: 0 if at least 90 % of the warnings are right, useful and have advice that can be followed, and no known
problem is missed; 1 otherwise.

A judgement file has `program`, `source` (the code that was read for the judgement) and `findings`, a list of objects:

    detector   the detector's id
    queues     accepted patterns of the first queue or lock: its label with every number replaced by *; empty for
               findings without one
    code       accepted functions of the first place in the code; empty for findings without one
    severity   the severity at the time of the judgement
    right      the statement of the finding is true
    useful     the developers of the program would want to know
    followable a reader can follow the advice
    why        the reason, from the source
    known      optional: the program has this problem, so it counts as missed if no recording shows it
    until      optional, with known: largest number of processors for which it must be found
"""
import json
import os
import pathlib
import re
import sys

REQUIRED_SHARE = 0.9
NUMBER = re.compile(r"0x[0-9a-fA-F]+|[0-9]+")


def pattern(label):
    return NUMBER.sub("*", label)


def first_place(finding):
    """The pattern of a finding's first queue or lock, and the function of its first place in the code."""
    labels = finding["queues"] or finding.get("locks") or [None]
    code = finding["code"][0]["symbol"] if finding["code"] else None
    return labels[0] and pattern(labels[0]), code


def accepts(judgement, finding):
    label, code = first_place(finding)
    return (finding["detector"] == judgement["detector"]
            and (label in judgement["queues"] if label else not judgement["queues"])
            and (code in judgement["code"] if code else not judgement["code"]))


def described(finding):
    label, code = first_place(finding)
    return f"{finding['severity']} {finding['detector']} on {label or '-'} at {code or '-'}"


def once(things, key):
    """The first thing for each key."""
    return {key(thing): thing for thing in reversed(things)}.values()


def is_good(judgement):
    return judgement["right"] and judgement["useful"] and judgement["followable"]


class Program:
    """The findings of one program, sorted by the judgements."""

    def __init__(self, reports, judgements):
        self.new, self.good, self.wrong = [], [], []
        self.notes = 0
        # For each judgement, the number of reports that have the finding.
        found = [0] * len(judgements)
        for report in reports:
            matched = {self.sort(finding, judgements) for finding in report["findings"]}
            for number in matched - {None}:
                found[number] += 1
        processors = os.cpu_count() or 1
        self.missed = [judgement for judgement, times in zip(judgements, found) if times == 0
                       and judgement.get("known") and processors <= judgement.get("until", sys.maxsize)]
        self.gone = [judgement for judgement, times in zip(judgements, found)
                     if times == 0 and judgement not in self.missed]

    def sort(self, finding, judgements):
        """Counts a finding. Returns the index of its judgement, or None."""
        number = next((n for n, judgement in enumerate(judgements) if accepts(judgement, finding)), None)
        if number is None:
            self.new.append(finding)
        if finding["severity"] == "info":
            self.notes += 1
        elif number is not None and is_good(judgements[number]):
            self.good.append(finding)
        elif number is not None:
            self.wrong.append((finding, judgements[number]))
        return number

    @property
    def new_warnings(self):
        return [finding for finding in self.new if finding["severity"] != "info"]

    @property
    def warnings(self):
        return len(self.good) + len(self.wrong) + len(self.new_warnings)


directory = pathlib.Path(sys.argv[1])
folder = pathlib.Path(__file__).parent / "judgements"
runs = range(1, int(sys.argv[2]) + 1)
programs = {}
for name in sys.argv[3:]:
    reports = [json.loads((directory / f"{name}.{run}.json").read_text(encoding="utf-8")) for run in runs]
    file = folder / f"{name}.json"
    judgements = json.loads(file.read_text(encoding="utf-8"))["findings"] if file.exists() else []
    programs[name] = Program(reports, judgements)

print(f"{'program':16} {'warnings':>8} {'good':>6} {'wrong':>6} {'new':>6} {'missed':>6} {'gone':>6} {'notes':>6}")
for name, program in programs.items():
    print(f"{name:16} {program.warnings:8} {len(program.good):6} {len(program.wrong):6} {len(program.new_warnings):6} "
          f"{len(program.missed):6} {len(program.gone):6} {program.notes:6}")
print("good: right, useful, and the advice can be followed; new: not judged yet; missed: known but not found; "
      "gone: judged but not found, which may be intended; notes: findings of severity info.")
for name, program in programs.items():
    for finding, judgement in once(program.wrong, key=lambda pair: described(pair[0])):
        faults = ", ".join(f"not {key}" for key in ("right", "useful", "followable") if not judgement[key])
        print(f"{name}: {faults}: {described(finding)}\n    {judgement['why']}")
    for finding in once(program.new, key=described):
        print(f"{name}: new: {described(finding)}\n    {finding['summary']}\n    {finding['advice']}")
    for text, judgements in (("missed", program.missed), ("gone", program.gone)):
        for judgement in judgements:
            print(f"{name}: {text}: {judgement['severity']} {judgement['detector']} "
                  f"on {', '.join(judgement['queues']) or '-'} at {', '.join(judgement['code']) or '-'}")

warnings = sum(program.warnings for program in programs.values())
good = sum(len(program.good) for program in programs.values())
missed = sum(len(program.missed) for program in programs.values())
share = good / warnings if warnings else 1
print(f"{good} of {warnings} warnings are good: {share:.0%} (required: {REQUIRED_SHARE:.0%}); "
      f"{missed} known problems missed")
sys.exit(share < REQUIRED_SHARE or missed > 0)
