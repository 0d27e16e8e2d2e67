// The points in time that the page marks.

extension Vocabulary {
    static let markKind = Vocabulary(
        "MarkKind", "A misuse, or a change of the state of a queue or a source.",
        [
            Term("mutation_after_activation", "a property was set after the activation"),
            Term("retarget_after_activation", "the target queue was changed after the activation"),
            Term("activated", "the object was activated"),
            Term("suspended", "the object was suspended"),
            Term("resumed", "the object was resumed"),
            Term("cancelled", "the source was cancelled"),
            Term("retargeted", "the target queue was changed"),
            Term("disposed", "the last reference was released"),
            Term(
                "non_leaf_retarget", "the target of a queue was changed that other queues target",
                title: "non-leaf retarget"),
            Term("over_resume", "the object was resumed more often than suspended", title: "over-resume"),
            Term("release_while_suspended", "the last reference was released while the object was suspended"),
        ])
}
