export { alignmentTallies, type AlignmentTallyRecord } from './alignment/alignment-tallies.js';
export {
  alignmentUnder,
  type MachineAlignment,
  type SpecialistAlignment,
} from './alignment/alignment-under.js';
export { collapseMetrics, type CollapseMetrics } from './collapse/collapse-metrics.js';
export type { DecisionCounts, StateDecisionCounts } from './collapse/decision-counts.js';
export { type MonitoringSignal, RECENT_DECISIONS } from './collapse/monitoring-signals.js';
export type { SpecialistWins } from './collapse/specialist-wins.js';
export { findCommand, type GrantedCommand } from './commands/commands.read-model.js';
export type { DecidedHow, DecisionRecord } from './decisions/decision-record.js';
export { type DecisionFilter, listDecisions } from './decisions/decisions.queries.js';
export { type Accuracy, accuracyOf, type AccuracyQuestion } from './decisions/accuracy-of.js';
export { type PastRound, pastRounds, type PastRoundsQuestion } from './decisions/past-rounds.js';
export { contextExemplars, type ExemplarQuestion } from './exemplars/context-exemplars.js';
export { type ExemplarRow, type ExemplarFilter, listExemplars } from './exemplars/exemplars.queries.js';
export { type InboxFilter, inboxItems, type InboxRow, inboxRows } from './inbox/inbox.queries.js';
export { leaseStoreId } from './leases/lease-store-id.js';
export { StoredLeases } from './leases/stored-leases.js';
export { llmCallOutcome, type LlmCallOutcome } from './llm-calls/llm-call-outcome.js';
export { pageWithBodies, withBodies } from './llm-calls/llm-call-bodies.js';
export type { LlmCallRecord, LlmCallRow } from './llm-calls/llm-call-record.js';
export {
  getLlmCall,
  listLlmCalls,
  listLlmCallsOfRun,
  listLlmCallsOfSession,
  type LlmCallFilter,
  llmCallIdsStartingWith,
} from './llm-calls/llm-calls.queries.js';
export { spentOn } from './llm-calls/spent-on.js';
export { type CallTotals, NO_CALLS, usageOfRuns } from './llm-calls/usage-of-runs.js';
export { callCost, type Cost, priceInForce } from './llm-statistics/call-cost.js';
export type { LatencyPercentiles } from './llm-statistics/call-latencies.js';
export type { Amount } from './llm-statistics/group-costs.js';
export type { PriceTable, PriceVersion } from './llm-statistics/price-table.js';
export {
  type LlmStatisticsQuestion,
  type ModelSummary,
  summarizeLlmCalls,
} from './llm-statistics/summarize-llm-calls.js';
export { unknownPriceVersion } from './llm-statistics/unknown-price-version.js';
export {
  getMachine,
  listMachines,
  type MachineRecord,
  isKnownMachine,
} from './machines/machines.read-model.js';
export { listModelCapabilities, type ModelCapability } from './model-capabilities/model-capabilities.js';
export { numberInKey, placeAfterKey } from './paging/key-in-list.js';
export { type Page, pageOf, type PageRequest } from './paging/page.js';
export { openPostgresReadStore } from './postgres/open-postgres-read-store.js';
export { type ProjectionName, projections } from './projections.js';
export { getProposal, listProposals } from './proposals/proposals.queries.js';
export { storedPosition } from './row/stored-position.js';
export { storedText, textFromStored } from './row/stored-text.js';
export { storedTime, timeFromStored } from './row/stored-time.js';
export { CheckpointMismatch } from './runner/checkpoint-mismatch.js';
export type { Handler, Handlers, Projection } from './runner/projection.js';
export { ProjectionBehind } from './runner/projection-behind.js';
export { ProjectionRunner, UnknownProjection } from './runner/projection-runner.js';
export type { ProjectionFailure, ProjectionStatus } from './runner/projection-status.js';
export {
  listOfSession,
  type EventPlace,
  listSessionEvents,
} from './session-events/session-events.read-model.js';
export {
  getSession,
  listSessions,
  type SessionFilter,
  sessionIdsStartingWith,
} from './sessions/sessions.queries.js';
export { countSessions, sessionsWithStatus } from './sessions/sessions-with-status.js';
export type { SessionSummary } from './sessions/session-summary.js';
export {
  type MachineSpecialist,
  type SpecialistRecord,
  type SpecialistVersionRecord,
  currentRows,
} from './specialists/specialist-record.js';
export {
  type Alignment,
  getSpecialist,
  listSpecialists,
  listSpecialistVersions,
  machineOfSpecialist,
  type SpecialistDetails,
  type SpecialistFilter,
  type SpecialistName,
  specialistsOfMachine,
  specialistsOfSession,
} from './specialists/specialists.queries.js';
export { createTables } from './store/create-tables.js';
export { insertRow, insertRowOnce } from './store/insert-row.js';
export { deleteRow, updateRow } from './store/update-row.js';
export { openSqliteReadStore } from './store/open-sqlite-read-store.js';
export type { ReadSchema } from './store/read-schema.js';
export { ChangeRefused, type ReadStore } from './store/read-store.js';
export type { Rows } from './store/rows.js';
export {
  asCondition,
  type Change,
  type CompiledTemplate,
  type SqlValue,
  statement,
  type Template,
  type Values,
} from './store/statement.js';
export { type Columns, type RowOf, type Table, table } from './store/table.js';
export { listWebhookCallsOfSession, type WebhookCallRow } from './webhook-calls/webhook-calls.queries.js';
export { rounded } from './row/rounded.js';
