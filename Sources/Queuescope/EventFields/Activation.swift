/// When and where a queue or source was activated: what a later misuse is reported with.
struct Activation: Sendable {
    let site: CallSite
    let stack: CallStack
}
