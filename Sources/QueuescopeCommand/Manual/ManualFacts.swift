/// The parts of the manual page that are no part of a command's help.
enum ManualFacts {
    /// The variables that the command reads. `EnvironmentVariables.md` has the variables of the recorder as well.
    static let environment: [(name: String, meaning: String)] = [
        ("QUEUESCOPE_PAGER", "The command that shows a long report on a terminal. Empty or cat: no pager."),
        ("PAGER", "The same, if QUEUESCOPE_PAGER is not set."),
        ("LESS", "The options of less; FRX if it is not set."),
        (
            "QUEUESCOPE_LINKS",
            "The form of the links from file:line to the source, like --links: auto, none, file, vscode or a template."
        ),
        ("NO_COLOR", "Not empty: no colours, unless --color always is given."),
        ("TERM", "dumb: no colours, no links and no pager. linux: no links, unless --links chooses a format."),
        ("PATH", "Where the program of record and the tools are searched: xdg-open, less, tar and lttng."),
        ("TMPDIR", "The directory into which a packed trace is unpacked."),
        ("QUEUESCOPE_PRELOAD", "The library to preload, like record --preload."),
        ("QUEUESCOPE_BACKEND", "The destination of the events, like record --backend."),
        ("QUEUESCOPE_PROCESSORS", "0: record omits the context switches, like record --processors off."),
        (
            "LTTNG_HOME",
            "The directory in which the LTTng session daemon of this user is searched, instead of HOME."
        ),
    ]

    /// The files of a trace directory.
    static let files: [(name: String, meaning: String)] = [
        ("TRACE/metadata", "The declaration of the trace, in the language of CTF 1.8."),
        ("TRACE/definitions", "The queues, threads, images and code of the program."),
        ("TRACE/thread-NNNN", "The events of one thread after the other."),
        ("TRACE/kernel-NNNN", "The context switches."),
        ("TRACE/.arena", "The id of the shared memory segment for events, while a process records."),
        ("TRACE/.ending", "How the program ended."),
        ("TRACE/.snapshot", "The reason for which a snapshot was taken."),
    ]

    /// The exit status of all commands.
    static let exitStatus: [(status: String, meaning: String)] = [
        ("0", "Success. check and diff found nothing that counts."),
        (
            "1",
            "check: a finding counts, or the program crashed. diff: a finding is new or worse, or only the second "
                + "program crashed."
        ),
        (
            "2",
            "The trace cannot be read, or has no event. check and diff: the trace lacks files, or its part has no "
                + "event. events: a part of the trace cannot be read, without --keep-going."
        ),
        ("64", "Wrong usage."),
        (
            "69",
            "A requirement of the command is missing. record, doctor: the program cannot be recorded. stuck: the "
                + "process or the core file cannot be read. live: the process is not recorded or cannot be read. ps, "
                + "status, start, stop, snapshot, record --pid: the process cannot be controlled."
        ),
        ("73", "A file or standard output cannot be written."),
        (
            "126",
            "A program cannot be run: the program of record or scenario, or xdg-open for timeline --open (the file is "
                + "written)."
        ),
        ("127", "record: the program was not found. demo, scenario: their program is not installed."),
    ]

    /// Other pages and programs.
    static let seeAlso = "babeltrace2(1), lttng(1), less(1), perf(1)"
}
