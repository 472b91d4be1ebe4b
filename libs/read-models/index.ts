export {
  alignmentTallies,
  type AlignmentTallyRecord,
  alignmentUnder,
} from './alignment/alignment.queries.js';
export { collapseMetrics } from './collapse/collapse-metrics.js';
export { RECENT_DECISIONS } from './collapse/monitoring-signals.js';
export { accuracyOf } from './decisions/accuracy-of.js';
export { decisionsByDay } from './decisions/decision-days.js';
export { decisionsByKind, listDecisions } from './decisions/decisions.queries.js';
export { alignmentHistory } from './alignment/alignment-history.js';
export {
  CONTENT_DATASETS,
  type ContentDataset,
  type ContentFilter,
  type ContentRound,
  contentRounds,
  hasContentRound,
} from './decisions/content-rounds.js';
export { type DecidedRound, decidedRounds, type DecidedRoundsFilter } from './decisions/decided-rounds.js';
export { type ChosenRound, chosenRounds, type ChosenRoundsFilter } from './decisions/chosen-rounds.js';
export { listProposals } from './decisions/proposals.queries.js';
export { contextExemplars, type ExemplarRow, listExemplars } from './exemplars/exemplars.read-model.js';
export { exemplarsTable } from './exemplars/exemplars.tables.js';
export { type InboxFilter, inboxItems, type InboxRow, inboxRows } from './inbox/inbox.queries.js';
export { foldedTable } from './loop/folded-table.js';
export { lastFolded, servedTable } from './loop/loop-tables.js';
export {
  type DocOf,
  documents,
  facts,
  type Fold,
  type FoldOf,
  type Folds,
  type LoopModels,
  type NumberedEvent,
  type Page as FoldPage,
  type ReadModel,
  type Ref,
  type SeenDoc,
  totals,
  withoutCopies,
} from './loop/declare.js';
export type { Which as WhichStreams } from './loop/read-loop.js';
export { StreamStandsStill } from './loop/still-rows.js';
export { logKeys } from './keys/log-key.js';
export { NoKeys, SubjectKeys, type WithKeyStore } from './keys/subject-keys.js';
export { leaseStoreId, StoredLeases } from './leases/stored-leases.js';
export { emptyRows, isUnclaimed, markClaimed, markIfNew } from './leases/unclaimed.js';
export {
  type CallTotals,
  NO_CALLS,
  openLlmCalls,
  runsThatSpend,
  spentOn,
  usageOfRuns,
} from './llm-calls/call-usage.js';
export { type UsageOfRound, usageOfRounds } from './llm-calls/usage-of-rounds.js';
export { withBodies, withReadableBodies } from './llm-calls/llm-call-bodies.js';
export { type LlmCallRecord, type LlmCallRow, withoutStep } from './llm-calls/llm-call-record.js';
export {
  getLlmCall,
  isAskedAgain,
  listLlmCalls,
  listLlmCallsOfRun,
  listLlmCallsOfSession,
  llmCallIdsStartingWith,
} from './llm-calls/llm-calls.queries.js';
export { callIdOf } from './llm-calls/call-id.js';
export { type LlmCallOutcome, llmCalls } from './llm-calls/llm-calls.tables.js';
export type { Amount } from './llm-statistics/group-costs.js';
export { priceInForce, type PriceTable, unknownPriceVersion } from './llm-statistics/prices.js';
export { summarizeLlmCalls } from './llm-statistics/summarize-llm-calls.js';
export {
  getMachine,
  listMachines,
  type MachineRecord,
  isKnownMachine,
} from './machines/machines.read-model.js';
export { listModelCapabilities } from './model-capabilities/model-capabilities.js';
export { pastRows } from './past/past-rows.js';
export { openPostgresReadStore } from './postgres/open-postgres-read-store.js';
export { models, type ProjectionName } from './models.js';
export { type LogEvent, LogReader } from './runner/log-reader.js';
export { ProjectionRunner } from './runner/projection-runner.js';
export type { ProjectionFailure, ProjectionStatus } from './runner/projection-status.js';
export { ProjectionBehind } from './runner/wait-for-position.js';
export {
  listOfSession,
  type EventLocation,
  listSessionEvents,
} from './session-events/session-events.read-model.js';
export {
  countSessions,
  getSession,
  listSessions,
  type WithoutHistory,
  sessionIdsStartingWith,
  sessionOfMachine,
  sessionsWithStatus,
} from './sessions/sessions.queries.js';
export { sessionMachines, sessions, sessionsTable } from './sessions/sessions.tables.js';
export {
  type MachineSpecialist,
  type SpecialistRecord,
  currentRows,
} from './specialists/specialist-record.js';
export {
  specialistName,
  specialistsTable,
  specialistVersionsTable,
} from './specialists/specialists.read-model.js';
export {
  getSpecialist,
  humanRolesOf,
  listSpecialists,
  listSpecialistVersions,
  machineOfSpecialist,
  type SpecialistName,
  specialistsOfMachine,
  specialistsOfSession,
} from './specialists/specialists.queries.js';
export {
  type SqlValue,
  columnOf,
  freeText,
  uuid,
  time,
  flag,
  plain,
  word,
  json,
  optional,
  hidden,
} from './store/columns.js';
export {
  openMemoryReadStore,
  openSqliteKeyStore,
  openSqliteReadStore,
} from './store/open-sqlite-read-store.js';
export { bytesIn, pageOfRows, withoutIndex } from './store/page-of-rows.js';
export {
  type PageRequest,
  type Page,
  type Items,
  pageOf,
  pageOfList,
  numberInKey,
  placeAfterKey,
} from './store/page.js';
export type { ReadStore } from './store/read-store.js';
export { columnIs, type Dataset, dataset, keyOf, viewName } from './views/dataset.js';
export { datasetPages, type DatasetRow } from './views/dataset-rows.js';
export { datasetsOfCalls } from './views/call-datasets.js';
export { datasetsOfSessions } from './views/datasets.js';
export type { SqlWords } from './views/sql-words.js';
export { createTables } from './store/create-tables.js';
export { deleteRow, insertRowOnce, mergeRow, updateRow } from './store/row-changes.js';
export { isWithin } from './store/rows-that-fit.js';
export { idStartsWith, type Rows } from './store/rows.js';
export {
  asCondition,
  type Change,
  type CompiledTemplate,
  statement,
  type Template,
} from './store/statement.js';
export { memberOf } from './store/columns.js';
export {
  textFromStored,
  storedPosition,
  storedUuid,
  uuidFromStored,
  storedTime,
  rounded,
} from './store/stored-values.js';
export {
  type Table,
  type RowOf,
  type RecordOf,
  type SchemaOf,
  table,
  recordOf,
  pick,
} from './store/table.js';
export { listWebhookCallsOfSession, type WebhookCallRow } from './webhook-calls/webhook-calls.read-model.js';
export {
  idsAbout,
  idsWithKey,
  labelledIds,
  labelledRows,
  type LabelFilter,
} from './labels/labels.read-model.js';
