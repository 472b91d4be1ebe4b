export { ActivityRegistry } from './activity/activity-registry.js';
export {
  type Activity,
  type ActivityEvent,
  type ActivityFailure,
  type ActivityMemory,
  type ActivityRules,
  type CallContext,
  type Outcome,
  type RunGiven,
  activityFailureMembers,
} from './activity/activity.js';
export { settledBy, stopwatch, withLinkedSignal, withTimeLimit } from './activity/time-limit.js';
export { isWebhookTokenName, WEBHOOK_TOKEN_FORM, webhookUrlProblem } from './activity/webhook-token-name.js';
export type { Answer, Answered } from './answer-run.js';
export { usedStream } from './context-reference.js';
export { type Derived, LIMITS, WorkflowBug } from './derive.rules.js';
export { compareEvents, type Divergence, divergenceFromError, locationOf } from './divergence.js';
export { MOST_DERIVED } from './draft.rules.js';
export { CannotPerform, RuntimeStopped } from './driver-failures.js';
export { KeptMap } from './kept-map.js';
export { HeldLease, underLease } from './leases/held-lease.js';
export { type LeaseHolder, type Leases, LONGEST_LEASE_MS } from './leases/leases.js';
export {
  answeredBy,
  completedBy,
  failureOf,
  type LlmAnswer,
  type LlmClient,
  outcomeOf,
  routeInMemory,
} from './llm-in-memory.js';
export { DamagedRun, ContextChanged } from './load-run.js';
export type { RunEffects, WorkflowForked } from './forks/fork.events.js';
export type { RunForkRequest } from './forks/run-forker.js';
export { isForked, type RunFork } from './forks/forked-run.rules.js';
export { mergedEvents, type MergedEvent, type RunsAsked, runsBelow } from './merged-events.js';
export { logClaimEventDefinitions, type LogClaimed } from './log-claim/log-claim.events.js';
export { type LeaseStore, LogClaim, LogClaimedElsewhere } from './log-claim/log-claim.js';
export { MissingRules } from './missing-rules.js';
export { recomputeRun } from './recompute-run.js';
export { runAgain } from './run-again.js';
export { RunCommands, type SignalInput } from './run-commands.js';
export {
  type CallStep,
  type EndStep,
  type Happened,
  type InMemoryCalls,
  runInMemory,
} from './run-in-memory.js';
export { type OnceCalls, type OnceInput, runOnce } from './run-once.js';
export {
  type AskedRun,
  askedRun,
  deliveryId,
  type EndedRun,
  LostRun,
  type NamedRuns,
  type RunOwner,
  runIdsIn,
  type RunRequests,
  type Wanted,
} from './run-owner.js';
export { endOfRun, givenUpEnd, isGivenUp } from './run-end.rules.js';
export {
  DUE_MOVED,
  DUE_TIMES,
  foldSteps,
  isExternal,
  isOwnAwait,
  mayRecord,
  type OpenStep,
  type RunSteps,
  dueAfter,
  dueAtOf,
  dueOrNever,
} from './run.decider.js';
export { creatorsIn } from './creators.rules.js';
export {
  APPROVAL,
  clockStepOf,
  peopleWait,
  timedWait,
  waitTaskId,
  whyNotAnsweringWait,
} from './people-wait.rules.js';
export { runRejections } from './run.rejections.js';
export { contextOf, foldRun, givenOf, memoryOf, type Run } from './run.rules.js';
export type { RuntimeObserver, RuntimeParts } from './runtime-parts.js';
export {
  type ChildEnded,
  type ChildStarted,
  type ChoiceGiven,
  type ContextReference,
  type DueMoved,
  type Owner,
  type RunCancelRequested,
  type RunEnd,
  type RuntimeEvent,
  runtimeEventDefinitions,
  type SignalAwaited,
  type SignalReceived,
  type StepCancelled,
  type TimerFired,
  type TimerStarted,
  type WorkflowEnded,
  type WorkflowGivenUp,
  type WorkflowStarted,
} from './runtime.events.js';
export { WorkflowRuntime } from './runtime.js';
export { done } from './script/done.script.js';
export { peopleAwaited } from './script/people-await.script.js';
export { askPerson } from './script/ask-person.script.js';
export type { Question, SchemaOf } from './script/question.rules.js';
export { all, attempt, block, either, type First, type Results } from './script/branches.script.js';
export { called } from './script/call.script.js';
export { type Body, defineWorkflow, type Uses, type WorkflowDefinition } from './script/define-workflow.js';
export type { Duration } from '#lib/kernel';
export { RunFails, StepFailed } from './script/failures.js';
export { frozen } from './script/freeze.js';
export {
  type Attempted,
  attempts,
  delayBefore,
  delayed,
  type FailingAttempt,
  MOST_INTERRUPTIONS,
  mostAttempts,
  type Pause,
  retried,
  type Retried,
  type Retry,
  spreadDelay,
} from './script/retried.script.js';
export {
  type Answer as ScriptAnswer,
  type Ask,
  beside,
  branched,
  type Closed,
  helper,
  here,
  type Named,
  type Open,
  opened,
  type Place,
  type Script,
  type Steps,
  until,
  waiting,
} from './script/script.js';
export { checkScript, type Given, scripted, scriptOf, type ScriptState } from './script/scripted.rules.js';
export { type Tried, valueOf } from './script/tried.js';
export { used } from './script/used.js';
export { child, lengthOf, now, record, signal, type Signalled, timer, uuid } from './script/waits.script.js';
export { type Failing, SetAside } from './set-aside.js';
export type { FactsOf, FactSources, SchemaCheck } from './start-facts.js';
export type { RunRequest, StartedRun } from './start-run.js';
export { LONGEST_TIMER_MS, systemTime, type Time } from './time.js';
export { VirtualTime } from './virtual-time.js';
export { NotDerived, ALLOWANCE, grantedAllowance, type Unit, UnitAllowance } from './unit-allowance.js';
export { type Verification, verifyRun } from './verify-run.js';
export { WaitsForPerson } from './waits-for-person.js';
export type { RunIndex, RunToWake } from './run-index.js';
export {
  HELPERS,
  InvalidWorkflowName,
  isRunCategory,
  newestVersion,
  WorkflowRegistry,
} from './workflow-registry.js';
export type { Rules, Seen, Step, Workflow, Started } from './workflow.js';
export type { Failure, JsonSchema } from './run-values.js';
