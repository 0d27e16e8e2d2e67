// A service group that records itself. Prints `ready` when the snapshot signal has its handler, and ends on SIGTERM.
//
//   RecordedServiceGroup [DIRECTORY]     without DIRECTORY, only the environment can start a recording

#if Service
    import Glibc
    import Logging
    import Queuescope
    import QueuescopeService
    import ServiceLifecycle

    /// Runs an item of `group.work` after the start and one of `group.end` at the shutdown.
    struct Work: Service {
        func run() async {
            var action = sigaction()
            while sigaction(SIGUSR2, nil, &action) == 0, action.__sigaction_handler.sa_handler == nil {
                try? await Task.sleep(for: .milliseconds(1))
            }
            TracedQueue(label: "group.work").sync {}
            print("ready")
            fflush(nil)
            try? await gracefulShutdown()
            TracedQueue(label: "group.end").sync {}
        }
    }

    let logger = Logger(label: "group")
    let recorder = RecordingService(.init(directory: CommandLine.arguments.dropFirst().first), logger: logger)
    try await ServiceGroup(services: [recorder, Work()], gracefulShutdownSignals: [.sigterm], logger: logger).run()
#endif
