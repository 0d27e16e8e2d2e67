import Testing

@testable import DispatchAnalysis
@testable import DispatchModel
@testable import TraceReports

@Suite struct QueueForestTests {
    private func forest(
        _ sample: SampleModel, _ queues: [QueueStatistics], groupsAlike: Bool = true
    ) -> QueueForest {
        QueueForest(
            Analysis(
                trace: sample.summary(events: 0), quality: Quality(checks: []), queues: queues, threads: [],
                findings: [],
                model: sample.model), groupsAlike: groupsAlike)
    }

    @Test("Siblings are sorted by the lost time of their trees")
    func ordersByTimeLostInTheTree() {
        var sample = SampleModel()
        let root = sample.queue("root")
        let quick = sample.queue("quick", target: root)
        let parent = sample.queue("parent", target: root)
        let child = sample.queue("child", target: parent)
        let forest = forest(
            sample,
            [
                sample.statistics(quick, items: 1, busy: 1, lost: 5),
                sample.statistics(parent, items: 1, busy: 1, lost: 1),
                sample.statistics(child, items: 1, busy: 1, lost: 9),
            ])
        #expect(forest.roots.map(\.label) == ["root"])
        #expect(forest.roots[0].children.map(\.label) == ["parent", "quick"])
        #expect(forest.roots[0].lostInTree == .milliseconds(15))
        #expect(forest.roots[0].children[0].lostInTree == .milliseconds(10))
    }

    @Test("Three similar queues become one row, two do not", arguments: [2, 3])
    func groupsLookAlikes(count: Int) {
        var sample = SampleModel()
        let root = sample.queue("root")
        let queues = (0..<count).map { sample.queue("news.connection.\($0).v2", target: root) }
        let forest = forest(sample, queues.map { sample.statistics($0, items: 4, busy: 1, lost: 2) })
        let children = forest.roots[0].children
        if count == 2 {
            #expect(children.map(\.label) == ["news.connection.0.v2", "news.connection.1.v2"])
        } else {
            #expect(children.map(\.label) == ["news.connection.*.v*"])
            #expect(children[0].queues == queues)
            #expect(children[0].summary.items == 12)
            #expect(children[0].summary.lost == .milliseconds(6))
        }
    }

    @Test("The queues that target the members of a group are grouped below it")
    func groupsChildrenOfAGroup() {
        var sample = SampleModel()
        let root = sample.queue("root")
        let connections = (0..<3).map { sample.queue("connection.\($0)", target: root) }
        let parsers = connections.enumerated().map { sample.queue("parser.\($0.offset)", target: $0.element) }
        let forest = forest(sample, parsers.map { sample.statistics($0, items: 1, busy: 1, lost: 1) })
        let group = forest.roots[0].children[0]
        #expect(group.label == "connection.*")
        #expect(group.children.map(\.label) == ["parser.*"])
        #expect(group.children[0].queues == parsers)
    }

    @Test("Similar queues are separate rows when every queue is requested")
    func keepsLookAlikesApart() {
        var sample = SampleModel()
        let queues = (0..<5).map { sample.queue("connection.\($0)") }
        let forest = forest(
            sample, queues.map { sample.statistics($0, items: 1, busy: 1, lost: 1) }, groupsAlike: false)
        #expect(forest.roots.count == 5)
    }

    @Test("Queues that ran nothing are omitted and counted, but targets of busy queues are kept")
    func leavesOutIdleQueues() {
        var sample = SampleModel()
        let root = sample.queue("root")
        let used = sample.queue("used", target: root)
        _ = sample.queue("unused", target: root)
        _ = sample.queue("unused root")
        let forest = forest(sample, [sample.statistics(used, items: 1, busy: 1, lost: 0)])
        #expect(forest.roots.map(\.label) == ["root"])
        #expect(forest.roots[0].children.map(\.label) == ["used"])
        #expect(forest.busy == 1)
        #expect(forest.idle == 2)
    }

    @Test("A cycle of targets in a damaged trace does not cause an endless loop")
    func survivesACycle() {
        var sample = SampleModel()
        let root = sample.queue("root")
        let first = sample.queue("first", target: root)
        let second = sample.queue("second", target: first)
        sample.model.queues[second.position].children = [first]
        let forest = forest(sample, [sample.statistics(second, items: 1, busy: 1, lost: 1)])
        #expect(forest.roots.count == 1)
    }

    @Test("A page with few rows shows the rows with the most lost time below their targets, and counts the rest")
    func selectsRows() {
        var sample = SampleModel()
        let root = sample.queue("root")
        let queues = ["a", "b", "c", "d"].map { sample.queue($0, target: root) }
        let forest = forest(
            sample, queues.enumerated().map { sample.statistics($1, items: 1, busy: 1, lost: Int64($0) + 1) })
        let selection = QueueSelection(forest, model: sample.model, limit: 3)
        #expect(selection.roots[0].children.map(\.node.label) == ["d", "c"])
        #expect(selection.hiddenQueues == 2)
        #expect(selection.hiddenLost == .milliseconds(3))
    }
}
