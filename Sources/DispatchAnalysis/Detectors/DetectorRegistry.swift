/// The detectors of this version.
public enum DetectorRegistry {
    /// All detectors, in the order in which commands and documentation list them.
    public static var all: [any Detector.Type] {
        [
            StaircaseContention.self,
            LockContention.self,
            LongSyncWait.self,
            MainQueueHang.self,
            OverlappingHandlers.self,
            ThreadExplosion.self,
            PoolStarvation.self,
            PoolDeadlock.self,
            UselessWakeups.self,
            BouncingWork.self,
            EventLoopBlocked.self,
            PriorityInversion.self,
            LockOrderInversion.self,
            Deadlock.self,
            Hang.self,
            WaitForOwnQueue.self,
            WorkTooSmall.self,
            WorkTooLarge.self,
            UnevenConcurrentPerform.self,
            MutationAfterActivation.self,
            RetargetAfterActivation.self,
            NonLeafRetarget.self,
            DelayedRegistration.self,
            MutableTarget.self,
            StrictBackgroundTimer.self,
            SuspendedTimerFire.self,
            HandlerlessSource.self,
            SourceWithoutQoS.self,
            QueueForestSurvey.self,
            ReadersWriter.self,
            UnbalancedGroup.self,
            SemaphoreNeverSignalled.self,
            SourceNeverActivated.self,
            TimerWithoutRunLoop.self,
            BusyLoop.self,
            ReleasedWhileSuspended.self,
            OverResume.self,
            BarrierOnGlobal.self,
            LateTimer.self,
            ItemNeverRan.self,
            ActorContention.self,
            ActorHopping.self,
            BlockedCooperativePool.self,
            ContinuationNeverResumed.self,
            TasksTooSmall.self,
            TaskExplosion.self,
            UncollectedChildren.self,
            SerialAwaits.self,
        ]
    }

    /// The detector with this id; nil if there is none.
    public static func detector(id: String) -> (any Detector.Type)? { all.first { $0.id == id } }
}
