/// The sections of processors and workers in the timeline data. ``TimelineFormat`` describes them.
enum TimelineProcessorSections {
    static func slices(_ slices: ProcessorSlices) -> [UInt8] {
        var writer = ByteWriter(reserving: slices.count * 8)
        writer.varint(slices.resolution)
        let threads = slices.threads.indices.filter { !slices.threads[$0].isEmpty }
        writer.varint(Int64(threads.count))
        for thread in threads {
            writer.varint(Int64(thread))
            writer.varint(Int64(slices.threads[thread].count))
            var before: Int64 = 0
            for slice in slices.threads[thread] {
                // A damaged trace can have overlapping slices.
                let begin = max(before, slice.begin)
                let end = max(begin, slice.end)
                writer.varint(begin - before)
                writer.varint(end - begin)
                writer.varint(Int64(slice.ending) | Int64(slice.processor + 1) << 2)
                before = end
            }
        }
        return writer.bytes
    }

    static func workers(_ workers: WorkerSteps) -> [UInt8] {
        var writer = ByteWriter(reserving: workers.steps.count * 8)
        writer.varint(workers.resolution)
        writer.varint(Int64(workers.steps.count))
        var before: Int64 = 0
        for step in workers.steps {
            writer.varint(step.time - before)
            for count in [step.most.alive, step.most.active, step.last.alive, step.last.active] {
                writer.varint(Int64(count))
            }
            before = step.time
        }
        return writer.bytes
    }
}
