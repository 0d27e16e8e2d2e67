#!/usr/bin/env python3
"""Opens a timeline in headless Chromium and uses it: zooms, pans, chooses findings, searches.

Usage: drive.py TIMELINE.html [--compared | --summed | --part | --many | --stuck | --tasks | --linked]
       [--screenshots DIR] [--dark]

The page has two traces with `--compared`, left-out items with `--summed`, a part from the middle of a trace with
`--part`, thousands of queues with `--many`, a program that hung with `--stuck`, and a program with tasks, an actor
and a finding about them with `--tasks`, or links to Visual Studio Code with `--linked`.

Needs the Python package `selenium`, Chromium and its driver. Prints one line per check and
`N passed, N failed`; the exit code is 0 only when nothing failed.
"""

import argparse
import os
import sys
import traceback

import colours
import comparison
import controls
import exports
import findings
import items
import keyboard
import left_out
import links
import open_waits
import paths
import ranges
import tasks
import threads
import views
from page_drive import PageDrive

STEPS = (
    views.opens, findings.opens_at_the_worst, findings.wraps_long_names, views.zooms_and_pans,
    findings.chooses_findings, findings.keeps_every_word, findings.shows_most_of_a_forest,
    items.selects_items, items.tells_its_story, items.names_groups,
    items.filters_rows, items.searches,
    paths.follows_causes, paths.shows_the_run, paths.shows_what_never_began,
    threads.shows_processors, threads.hatches_system_calls,
    ranges.marks_a_range, ranges.measures, views.keeps_one_unit, views.ends_with_the_trace,
    exports.saves_pictures, exports.prints, colours.contrasts, colours.keeps_high_contrast, views.helps,
    keyboard.walks_by_keyboard, keyboard.speaks, keyboard.folds_rows, keyboard.lists_every_key,
    controls.presses_buttons, controls.steps_through_matches, controls.moves_rows, controls.uses_the_mouse,
    controls.walks_the_family, links.restores_the_view, links.goes_back, controls.pinches, views.stays_quiet,
)
COMPARED = (
    comparison.opens, comparison.keeps_them_apart, comparison.says_what_changed, comparison.chooses_findings,
    comparison.tells_of_both,
    views.zooms_and_pans, exports.saves_pictures, views.stays_quiet,
)
SUMMED = (
    views.opens, left_out.says_where, left_out.keeps_the_shape, left_out.tells_of_a_place, left_out.keeps_findings,
    views.zooms_and_pans, views.ends_with_the_trace,
    findings.chooses_findings, views.stays_quiet,
)
PART = (views.opens, views.shows_a_part, views.zooms_and_pans, views.stays_quiet)
MANY = (views.opens, findings.shows_who_takes_part, views.stays_quiet)
TASKS = (
    views.opens, tasks.shows_lanes_first, tasks.shows_a_life, tasks.belongs_to_a_stretch, tasks.shows_the_family,
    tasks.finds_tasks, exports.saves_pictures, keyboard.lists_every_key, views.stays_quiet,
)
LINKED = (findings.links_to_the_source, views.stays_quiet)
STUCK = (
    views.opens, findings.says_where_to_look, paths.shows_what_never_began, open_waits.lists_open_waits,
    views.stays_quiet,
)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("timeline")
    parser.add_argument("--compared", action="store_true", help="the page has two traces")
    parser.add_argument("--summed", action="store_true", help="the page has left-out items")
    parser.add_argument("--part", action="store_true", help="the page has a part of a trace")
    parser.add_argument("--many", action="store_true", help="the trace has thousands of queues")
    parser.add_argument("--stuck", action="store_true", help="the trace has items that never began")
    parser.add_argument("--tasks", action="store_true", help="the trace has tasks and a finding about them")
    parser.add_argument("--linked", action="store_true", help="code is a link to its source")
    parser.add_argument("--screenshots", metavar="DIR", help="save a picture of each step in DIR")
    parser.add_argument("--dark", action="store_true", help="prefer dark colours")
    arguments = parser.parse_args()
    if not os.path.isfile(arguments.timeline):
        print(f"There is no file {arguments.timeline}.", file=sys.stderr)
        return 64
    if arguments.screenshots:
        os.makedirs(arguments.screenshots, exist_ok=True)
    drive = PageDrive(arguments.timeline, arguments.screenshots, arguments.dark)
    try:
        steps = (COMPARED if arguments.compared else SUMMED if arguments.summed
                 else PART if arguments.part else MANY if arguments.many
                 else LINKED if arguments.linked else STUCK if arguments.stuck else TASKS if arguments.tasks else STEPS)
        for step in steps:
            try:
                step(drive)
            except Exception:  # An exception counts as a failure; the other steps still run.
                drive.check(step.__name__.replace("_", " "), False, traceback.format_exc())
    finally:
        drive.browser.quit()
    print(f"{drive.passed} passed, {len(drive.failures)} failed")
    return 1 if drive.failures else 0


if __name__ == "__main__":
    sys.exit(main())
