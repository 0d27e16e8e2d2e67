#if Metrics
    import Dispatch

    /// A place at which work can wait: a queue, an actor or an event loop.
    public struct Place: Sendable {
        /// The begin of the names of its metrics.
        let metric: String
        let dimensions: [(String, String)]
        /// Submits an item.
        let submit: @Sendable (@escaping @Sendable () -> Void) -> Void

        /// A queue of libdispatch.
        ///
        /// - Parameters:
        ///   - queue: the queue. An item waits for the items in front of it, and for a thread.
        ///   - name: the value of `dispatch.queue.name`, by default the label. Places of equal names share a metric, so
        ///     queues of equal labels need names of their own, and a label with an id needs a constant name.
        /// - Returns: the place.
        public static func queue(_ queue: DispatchQueue, name: String? = nil) -> Place {
            Place(metric: "dispatch.queue.wait", dimensions: [("dispatch.queue.name", name ?? queue.label)]) { item in
                queue.async(execute: item)
            }
        }

        /// The main queue, also of the main actor. Only for a program that runs it: `dispatchMain()`, a run loop, or an
        /// async `main`.
        public static var mainQueue: Place { .queue(.main) }

        /// An actor.
        ///
        /// - Parameters:
        ///   - actor: the actor. A job waits for a thread, and for the other jobs of the actor.
        ///   - name: the value of `swift.actor.type`, by default the name of the type with its module.
        /// - Returns: the place.
        public static func actor(_ actor: any Actor, name: String? = nil) -> Place {
            let type = name ?? String(reflecting: type(of: actor))
            return Place(metric: "swift.actor.wait", dimensions: [("swift.actor.type", type)]) { item in
                Task.detached { await run(item, on: actor) }
            }
        }

        /// An event loop, or any other executor.
        ///
        /// ```swift
        /// Place.eventLoop("http") { item in loop.execute(item) }
        /// ```
        ///
        /// - Parameters:
        ///   - name: the value of `event_loop.name`.
        ///   - submit: submits an item to the loop, and does not wait for it.
        /// - Returns: the place.
        public static func eventLoop(
            _ name: String, submit: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
        ) -> Place {
            Place(metric: "event_loop.wait", dimensions: [("event_loop.name", name)], submit: submit)
        }

        /// The threads of Swift Concurrency.
        static var task: Place {
            Place(metric: "swift.task.wait", dimensions: []) { item in Task.detached { item() } }
        }

        private static func run(_ item: @Sendable () -> Void, on actor: isolated any Actor) { item() }
    }
#endif
