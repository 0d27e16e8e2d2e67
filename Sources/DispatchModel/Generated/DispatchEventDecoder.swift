// Generated from Sources/TraceSchema by Tools/generate-schema. Do not edit.
// swift-format-ignore-file
import CTFReader

extension DispatchEvent {
    /// Decodes a record of the event class with this catalogue id.
    ///
    /// - Parameters:
    ///   - id: the catalogue's id of the event class.
    ///   - record: the record, whose payload is read.
    ///   - fields: for each field of the catalogue its position in the record's payload, -1 where the trace's
    ///     class does not have it: the value is then zero or empty.
    /// - Returns: nil when the id is not in the catalogue.
    @inline(__always)
    init?(id: UInt8, record: EventRecord, fields: [Int]) {
        switch id {
        case 1:
            self = .queueCreate(.init(
                queue: UInt32(truncatingIfNeeded: record.unsigned(fields[0])),
                label: record.string(fields[1]),
                width: UInt16(truncatingIfNeeded: record.unsigned(fields[2])),
                qos: QoSClass(rawValue: UInt8(truncatingIfNeeded: record.unsigned(fields[3]))),
                target: UInt32(truncatingIfNeeded: record.unsigned(fields[4])),
                flags: UInt8(truncatingIfNeeded: record.unsigned(fields[5])),
                code: UInt32(truncatingIfNeeded: record.unsigned(fields[6])),
                stack: UInt32(truncatingIfNeeded: record.unsigned(fields[7])),
                tid: UInt32(truncatingIfNeeded: record.unsigned(fields[8]))))
        case 2:
            self = .queueState(.init(
                queue: UInt32(truncatingIfNeeded: record.unsigned(fields[0])),
                label: record.string(fields[1]),
                width: UInt16(truncatingIfNeeded: record.unsigned(fields[2])),
                qos: QoSClass(rawValue: UInt8(truncatingIfNeeded: record.unsigned(fields[3]))),
                target: UInt32(truncatingIfNeeded: record.unsigned(fields[4])),
                flags: UInt8(truncatingIfNeeded: record.unsigned(fields[5])),
                code: UInt32(truncatingIfNeeded: record.unsigned(fields[6])),
                stack: UInt32(truncatingIfNeeded: record.unsigned(fields[7])),
                tid: UInt32(truncatingIfNeeded: record.unsigned(fields[8]))))
        case 3:
            self = .queueDispose(.init(
                queue: UInt32(truncatingIfNeeded: record.unsigned(fields[0]))))
        case 4:
            self = .queueSetTarget(.init(
                queue: UInt32(truncatingIfNeeded: record.unsigned(fields[0])),
                target: UInt32(truncatingIfNeeded: record.unsigned(fields[1])),
                code: UInt32(truncatingIfNeeded: record.unsigned(fields[2]))))
        case 10:
            self = .objectActivate(.init(
                object: record.unsigned(fields[0]),
                kind: ObjectKind(rawValue: UInt8(truncatingIfNeeded: record.unsigned(fields[1]))),
                code: UInt32(truncatingIfNeeded: record.unsigned(fields[2])),
                stack: UInt32(truncatingIfNeeded: record.unsigned(fields[3]))))
        case 11:
            self = .objectSuspend(.init(
                object: record.unsigned(fields[0]),
                kind: ObjectKind(rawValue: UInt8(truncatingIfNeeded: record.unsigned(fields[1]))),
                code: UInt32(truncatingIfNeeded: record.unsigned(fields[2])),
                stack: UInt32(truncatingIfNeeded: record.unsigned(fields[3]))))
        case 12:
            self = .objectResume(.init(
                object: record.unsigned(fields[0]),
                kind: ObjectKind(rawValue: UInt8(truncatingIfNeeded: record.unsigned(fields[1]))),
                code: UInt32(truncatingIfNeeded: record.unsigned(fields[2]))))
        case 20:
            self = .itemEnqueue(.init(
                item: record.unsigned(fields[0]),
                queue: UInt32(truncatingIfNeeded: record.unsigned(fields[1])),
                code: UInt32(truncatingIfNeeded: record.unsigned(fields[2])),
                kind: ItemKind(rawValue: UInt8(truncatingIfNeeded: record.unsigned(fields[3]))),
                qos: QoSClass(rawValue: UInt8(truncatingIfNeeded: record.unsigned(fields[4])))))
        case 21:
            self = .itemDelay(.init(
                item: record.unsigned(fields[0]),
                delay: record.unsigned(fields[1])))
        case 22:
            self = .itemBegin(.init(
                item: record.unsigned(fields[0]),
                queue: UInt32(truncatingIfNeeded: record.unsigned(fields[1]))))
        case 23:
            self = .itemEnd(.init(
                item: record.unsigned(fields[0])))
        case 24:
            self = .itemCancel(.init(
                item: record.unsigned(fields[0])))
        case 25:
            self = .itemBarrier(.init(
                item: record.unsigned(fields[0])))
        case 26:
            self = .calloutBegin(.init(
                item: record.unsigned(fields[0])))
        case 27:
            self = .calloutEnd(.init())
        case 28:
            self = .itemWaitBegin(.init(
                item: record.unsigned(fields[0]),
                code: UInt32(truncatingIfNeeded: record.unsigned(fields[1]))))
        case 29:
            self = .itemWaitEnd(.init(
                item: record.unsigned(fields[0]),
                timedOut: UInt8(truncatingIfNeeded: record.unsigned(fields[1]))))
        case 30:
            self = .syncEnter(.init(
                item: record.unsigned(fields[0]),
                queue: UInt32(truncatingIfNeeded: record.unsigned(fields[1])),
                code: UInt32(truncatingIfNeeded: record.unsigned(fields[2])),
                kind: ItemKind(rawValue: UInt8(truncatingIfNeeded: record.unsigned(fields[3]))),
                qos: QoSClass(rawValue: UInt8(truncatingIfNeeded: record.unsigned(fields[4])))))
        case 31:
            self = .syncBlock(.init(
                item: record.unsigned(fields[0]),
                queue: UInt32(truncatingIfNeeded: record.unsigned(fields[1])),
                holderTid: UInt32(truncatingIfNeeded: record.unsigned(fields[2]))))
        case 32:
            self = .syncHandoff(.init(
                item: record.unsigned(fields[0]),
                queue: UInt32(truncatingIfNeeded: record.unsigned(fields[1])),
                fromTid: UInt32(truncatingIfNeeded: record.unsigned(fields[2]))))
        case 33:
            self = .syncReturn(.init(
                item: record.unsigned(fields[0])))
        case 34:
            self = .syncBegin(.init(
                queue: UInt32(truncatingIfNeeded: record.unsigned(fields[0])),
                code: UInt32(truncatingIfNeeded: record.unsigned(fields[1])),
                barrier: UInt8(truncatingIfNeeded: record.unsigned(fields[2]))))
        case 35:
            self = .syncWait(.init(
                item: record.unsigned(fields[0]),
                queue: UInt32(truncatingIfNeeded: record.unsigned(fields[1])),
                code: UInt32(truncatingIfNeeded: record.unsigned(fields[2])),
                kind: ItemKind(rawValue: UInt8(truncatingIfNeeded: record.unsigned(fields[3]))),
                qos: QoSClass(rawValue: UInt8(truncatingIfNeeded: record.unsigned(fields[4]))),
                level: UInt32(truncatingIfNeeded: record.unsigned(fields[5])),
                holderTid: UInt32(truncatingIfNeeded: record.unsigned(fields[6]))))
        case 40:
            self = .applyBegin(.init(
                apply: record.unsigned(fields[0]),
                queue: UInt32(truncatingIfNeeded: record.unsigned(fields[1])),
                code: UInt32(truncatingIfNeeded: record.unsigned(fields[2])),
                iterations: record.unsigned(fields[3])))
        case 41:
            self = .applyIterationBegin(.init(
                apply: record.unsigned(fields[0]),
                iteration: record.unsigned(fields[1])))
        case 42:
            self = .applyIterationEnd(.init(
                apply: record.unsigned(fields[0])))
        case 43:
            self = .applyEnd(.init(
                apply: record.unsigned(fields[0]),
                threads: UInt32(truncatingIfNeeded: record.unsigned(fields[1]))))
        case 50:
            self = .sourceCreate(.init(
                source: record.unsigned(fields[0]),
                type: SourceType(rawValue: UInt8(truncatingIfNeeded: record.unsigned(fields[1]))),
                handle: record.unsigned(fields[2]),
                queue: UInt32(truncatingIfNeeded: record.unsigned(fields[3])),
                code: UInt32(truncatingIfNeeded: record.unsigned(fields[4])),
                stack: UInt32(truncatingIfNeeded: record.unsigned(fields[5])),
                tid: UInt32(truncatingIfNeeded: record.unsigned(fields[6])),
                flags: UInt8(truncatingIfNeeded: record.unsigned(fields[7]))))
        case 51:
            self = .sourceSetHandler(.init(
                source: record.unsigned(fields[0]),
                handler: HandlerKind(rawValue: UInt8(truncatingIfNeeded: record.unsigned(fields[1]))),
                code: UInt32(truncatingIfNeeded: record.unsigned(fields[2])),
                qos: QoSClass(rawValue: UInt8(truncatingIfNeeded: record.unsigned(fields[3]))),
                removed: UInt8(truncatingIfNeeded: record.unsigned(fields[4]))))
        case 52:
            self = .sourceFire(.init(
                source: record.unsigned(fields[0]),
                item: record.unsigned(fields[1]),
                queue: UInt32(truncatingIfNeeded: record.unsigned(fields[2])),
                code: UInt32(truncatingIfNeeded: record.unsigned(fields[3])),
                data: record.unsigned(fields[4])))
        case 53:
            self = .timerConfigure(.init(
                source: record.unsigned(fields[0]),
                delay: record.unsigned(fields[1]),
                interval: record.unsigned(fields[2]),
                leeway: record.unsigned(fields[3]),
                code: UInt32(truncatingIfNeeded: record.unsigned(fields[4]))))
        case 54:
            self = .timerFire(.init(
                source: record.unsigned(fields[0]),
                fires: record.unsigned(fields[1])))
        case 55:
            self = .sourceCancel(.init(
                source: record.unsigned(fields[0]),
                code: UInt32(truncatingIfNeeded: record.unsigned(fields[1]))))
        case 56:
            self = .sourceDispose(.init(
                source: record.unsigned(fields[0])))
        case 57:
            self = .sourceSetTarget(.init(
                source: record.unsigned(fields[0]),
                target: UInt32(truncatingIfNeeded: record.unsigned(fields[1])),
                code: UInt32(truncatingIfNeeded: record.unsigned(fields[2]))))
        case 58:
            self = .sourceMerge(.init(
                source: record.unsigned(fields[0]),
                data: record.unsigned(fields[1]),
                code: UInt32(truncatingIfNeeded: record.unsigned(fields[2]))))
        case 60:
            self = .mutationAfterActivation(.init(
                object: record.unsigned(fields[0]),
                kind: ObjectKind(rawValue: UInt8(truncatingIfNeeded: record.unsigned(fields[1]))),
                handler: HandlerKind(rawValue: UInt8(truncatingIfNeeded: record.unsigned(fields[2]))),
                code: UInt32(truncatingIfNeeded: record.unsigned(fields[3])),
                stack: UInt32(truncatingIfNeeded: record.unsigned(fields[4])),
                activationCode: UInt32(truncatingIfNeeded: record.unsigned(fields[5])),
                activationStack: UInt32(truncatingIfNeeded: record.unsigned(fields[6]))))
        case 61:
            self = .retargetAfterActivation(.init(
                object: record.unsigned(fields[0]),
                kind: ObjectKind(rawValue: UInt8(truncatingIfNeeded: record.unsigned(fields[1]))),
                from: UInt32(truncatingIfNeeded: record.unsigned(fields[2])),
                to: UInt32(truncatingIfNeeded: record.unsigned(fields[3])),
                code: UInt32(truncatingIfNeeded: record.unsigned(fields[4])),
                stack: UInt32(truncatingIfNeeded: record.unsigned(fields[5])),
                activationCode: UInt32(truncatingIfNeeded: record.unsigned(fields[6])),
                activationStack: UInt32(truncatingIfNeeded: record.unsigned(fields[7]))))
        case 62:
            self = .nonLeafRetarget(.init(
                object: record.unsigned(fields[0]),
                kind: ObjectKind(rawValue: UInt8(truncatingIfNeeded: record.unsigned(fields[1]))),
                from: UInt32(truncatingIfNeeded: record.unsigned(fields[2])),
                to: UInt32(truncatingIfNeeded: record.unsigned(fields[3])),
                code: UInt32(truncatingIfNeeded: record.unsigned(fields[4])),
                stack: UInt32(truncatingIfNeeded: record.unsigned(fields[5])),
                activationCode: UInt32(truncatingIfNeeded: record.unsigned(fields[6])),
                activationStack: UInt32(truncatingIfNeeded: record.unsigned(fields[7]))))
        case 63:
            self = .overResume(.init(
                object: record.unsigned(fields[0]),
                kind: ObjectKind(rawValue: UInt8(truncatingIfNeeded: record.unsigned(fields[1]))),
                code: UInt32(truncatingIfNeeded: record.unsigned(fields[2])),
                stack: UInt32(truncatingIfNeeded: record.unsigned(fields[3])),
                activationCode: UInt32(truncatingIfNeeded: record.unsigned(fields[4])),
                activationStack: UInt32(truncatingIfNeeded: record.unsigned(fields[5]))))
        case 64:
            self = .releaseWhileSuspended(.init(
                object: record.unsigned(fields[0]),
                kind: ObjectKind(rawValue: UInt8(truncatingIfNeeded: record.unsigned(fields[1]))),
                inactive: UInt8(truncatingIfNeeded: record.unsigned(fields[2])),
                code: UInt32(truncatingIfNeeded: record.unsigned(fields[3])),
                stack: UInt32(truncatingIfNeeded: record.unsigned(fields[4])),
                activationCode: UInt32(truncatingIfNeeded: record.unsigned(fields[5])),
                activationStack: UInt32(truncatingIfNeeded: record.unsigned(fields[6]))))
        case 70:
            self = .groupCreate(.init(
                group: record.unsigned(fields[0]),
                code: UInt32(truncatingIfNeeded: record.unsigned(fields[1]))))
        case 71:
            self = .groupEnter(.init(
                group: record.unsigned(fields[0])))
        case 72:
            self = .groupLeave(.init(
                group: record.unsigned(fields[0])))
        case 73:
            self = .groupWaitBegin(.init(
                group: record.unsigned(fields[0]),
                code: UInt32(truncatingIfNeeded: record.unsigned(fields[1]))))
        case 74:
            self = .groupWaitEnd(.init(
                group: record.unsigned(fields[0]),
                timedOut: UInt8(truncatingIfNeeded: record.unsigned(fields[1]))))
        case 75:
            self = .groupNotify(.init(
                group: record.unsigned(fields[0]),
                item: record.unsigned(fields[1]),
                queue: UInt32(truncatingIfNeeded: record.unsigned(fields[2])),
                code: UInt32(truncatingIfNeeded: record.unsigned(fields[3]))))
        case 80:
            self = .semaphoreCreate(.init(
                semaphore: record.unsigned(fields[0]),
                value: record.signed(fields[1]),
                code: UInt32(truncatingIfNeeded: record.unsigned(fields[2]))))
        case 81:
            self = .semaphoreWaitBegin(.init(
                semaphore: record.unsigned(fields[0]),
                code: UInt32(truncatingIfNeeded: record.unsigned(fields[1]))))
        case 82:
            self = .semaphoreWaitEnd(.init(
                semaphore: record.unsigned(fields[0]),
                timedOut: UInt8(truncatingIfNeeded: record.unsigned(fields[1]))))
        case 83:
            self = .semaphoreSignal(.init(
                semaphore: record.unsigned(fields[0]),
                code: UInt32(truncatingIfNeeded: record.unsigned(fields[1]))))
        case 90:
            self = .lockCreate(.init(
                lock: record.unsigned(fields[0]),
                label: record.string(fields[1]),
                fair: UInt8(truncatingIfNeeded: record.unsigned(fields[2])),
                code: UInt32(truncatingIfNeeded: record.unsigned(fields[3])),
                tid: UInt32(truncatingIfNeeded: record.unsigned(fields[4]))))
        case 91:
            self = .lockWait(.init(
                lock: record.unsigned(fields[0]),
                code: UInt32(truncatingIfNeeded: record.unsigned(fields[1])),
                holderTid: UInt32(truncatingIfNeeded: record.unsigned(fields[2]))))
        case 92:
            self = .lockAcquire(.init(
                lock: record.unsigned(fields[0]),
                code: UInt32(truncatingIfNeeded: record.unsigned(fields[1]))))
        case 93:
            self = .lockRelease(.init(
                lock: record.unsigned(fields[0])))
        case 100:
            self = .threadStart(.init(
                tid: UInt32(truncatingIfNeeded: record.unsigned(fields[0])),
                name: record.string(fields[1])))
        case 101:
            self = .threadExit(.init(
                tid: UInt32(truncatingIfNeeded: record.unsigned(fields[0]))))
        case 102:
            self = .workerRequest(.init(
                root: UInt32(truncatingIfNeeded: record.unsigned(fields[0])),
                count: UInt32(truncatingIfNeeded: record.unsigned(fields[1]))))
        case 103:
            self = .workerUnpark(.init(
                root: UInt32(truncatingIfNeeded: record.unsigned(fields[0]))))
        case 104:
            self = .workerPark(.init(
                root: UInt32(truncatingIfNeeded: record.unsigned(fields[0]))))
        case 105:
            self = .switchOut(.init(
                tid: UInt32(truncatingIfNeeded: record.unsigned(fields[0])),
                preempted: UInt8(truncatingIfNeeded: record.unsigned(fields[1])),
                processor: UInt16(truncatingIfNeeded: record.unsigned(fields[2]))))
        case 106:
            self = .switchIn(.init(
                tid: UInt32(truncatingIfNeeded: record.unsigned(fields[0])),
                processor: UInt16(truncatingIfNeeded: record.unsigned(fields[1]))))
        case 107:
            self = .workerCreate(.init(
                root: UInt32(truncatingIfNeeded: record.unsigned(fields[0]))))
        case 108:
            self = .workerStart(.init(
                root: UInt32(truncatingIfNeeded: record.unsigned(fields[0]))))
        case 109:
            self = .workerExit(.init(
                root: UInt32(truncatingIfNeeded: record.unsigned(fields[0]))))
        case 110:
            self = .signpostLog(.init(
                log: UInt32(truncatingIfNeeded: record.unsigned(fields[0])),
                subsystem: record.string(fields[1]),
                category: record.string(fields[2])))
        case 111:
            self = .signpostBegin(.init(
                signpost: record.unsigned(fields[0]),
                log: UInt32(truncatingIfNeeded: record.unsigned(fields[1])),
                code: UInt32(truncatingIfNeeded: record.unsigned(fields[2])),
                message: record.string(fields[3])))
        case 112:
            self = .signpostEnd(.init(
                signpost: record.unsigned(fields[0]),
                log: UInt32(truncatingIfNeeded: record.unsigned(fields[1])),
                code: UInt32(truncatingIfNeeded: record.unsigned(fields[2])),
                message: record.string(fields[3])))
        case 113:
            self = .signpostEvent(.init(
                signpost: record.unsigned(fields[0]),
                log: UInt32(truncatingIfNeeded: record.unsigned(fields[1])),
                code: UInt32(truncatingIfNeeded: record.unsigned(fields[2])),
                message: record.string(fields[3])))
        case 120:
            self = .codeSymbol(.init(
                code: UInt32(truncatingIfNeeded: record.unsigned(fields[0])),
                address: record.unsigned(fields[1]),
                symbol: record.string(fields[2]),
                file: record.string(fields[3]),
                line: UInt32(truncatingIfNeeded: record.unsigned(fields[4])),
                thunk: record.unsigned(fields[5])))
        case 121:
            self = .image(.init(
                base: record.unsigned(fields[0]),
                begin: record.unsigned(fields[1]),
                end: record.unsigned(fields[2]),
                buildId: record.string(fields[3]),
                path: record.string(fields[4])))
        case 122:
            self = .stack(.init(
                stack: UInt32(truncatingIfNeeded: record.unsigned(fields[0])),
                frames: record.unsignedArray(fields[1])))
        case 123:
            self = .processState(.init(
                pid: UInt32(truncatingIfNeeded: record.unsigned(fields[0])),
                name: record.string(fields[1]),
                schemaMajor: UInt8(truncatingIfNeeded: record.unsigned(fields[2])),
                schemaMinor: UInt8(truncatingIfNeeded: record.unsigned(fields[3])),
                processors: UInt16(truncatingIfNeeded: record.unsigned(fields[4]))))
        case 124:
            self = .codeStack(.init(
                code: UInt32(truncatingIfNeeded: record.unsigned(fields[0])),
                stack: UInt32(truncatingIfNeeded: record.unsigned(fields[1]))))
        case 125:
            self = .clockSync(.init(
                ticks: record.unsigned(fields[0]),
                monotonic: record.unsigned(fields[1]),
                realtime: record.unsigned(fields[2]),
                boottime: record.unsigned(fields[3]),
                strayed: record.signed(fields[4])))
        case 130:
            self = .dispatchLog(.init(
                tid: UInt32(truncatingIfNeeded: record.unsigned(fields[0])),
                message: record.string(fields[1])))
        case 140:
            self = .processorTrack(.init(
                origin: ProcessorSource(rawValue: UInt8(truncatingIfNeeded: record.unsigned(fields[0]))),
                detail: record.string(fields[1])))
        case 141:
            self = .threadTimes(.init(
                tid: UInt32(truncatingIfNeeded: record.unsigned(fields[0])),
                onCpu: record.unsigned(fields[1]),
                runDelay: record.unsigned(fields[2]),
                slices: record.unsigned(fields[3])))
        case 142:
            self = .switchesLost(.init(
                switches: record.unsigned(fields[0]),
                tid: UInt32(truncatingIfNeeded: record.unsigned(fields[1]))))
        case 143:
            self = .switchesPauseBegin(.init(
                tid: UInt32(truncatingIfNeeded: record.unsigned(fields[0]))))
        case 144:
            self = .switchesPauseEnd(.init(
                tid: UInt32(truncatingIfNeeded: record.unsigned(fields[0]))))
        default: return nil
        }
    }
}
