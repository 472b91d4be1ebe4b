import type { alignmentComparisonsTable, alignmentTalliesTable } from '../alignment/alignment.tables.js';
import type { commandsTable } from '../commands/commands.read-model.js';
import type {
  decisionBasesTable,
  decisionSessionsTable,
  decisionsTable,
  decisionThresholdsTable,
  decisionTotalsTable,
  decisionWinsTable,
} from '../decisions/decisions.tables.js';
import type { exemplarSessionsTable, exemplarsTable } from '../exemplars/exemplars.table.js';
import type { leaseStoreTable } from '../leases/lease-store-id.js';
import type { leasesTable, leaseTokensTable } from '../leases/stored-leases.js';
import type { llmCallDurationsTable, llmCallTotalsTable } from '../llm-calls/llm-call-totals.tables.js';
import type { llmCallRunsTable, llmCallsTable } from '../llm-calls/llm-calls.tables.js';
import type { modelCapabilitiesTable } from '../model-capabilities/model-capabilities.js';
import type { machinesTable } from '../machines/machines.read-model.js';
import type { schemaVersionTable } from '../postgres/schema-version.table.js';
import type { proposalsTable } from '../proposals/proposals.table.js';
import type { checkpointsTable } from '../runner/checkpoints.js';
import type { sessionEventsTable, sessionStreamsTable } from '../session-events/session-events.read-model.js';
import type {
  sessionMachinesTable,
  sessionMachineStatesTable,
  sessionsTable,
  sessionTransitionsTable,
  sessionWaitsTable,
} from '../sessions/sessions.tables.js';
import type {
  currentVersionsTable,
  specialistsTable,
  specialistVersionsTable,
} from '../specialists/specialists.table.js';
import type { webhookCallsTable } from '../webhook-calls/webhook-calls.tables.js';
import type { RowOf } from './table.js';

type AnyTable =
  | typeof alignmentComparisonsTable
  | typeof alignmentTalliesTable
  | typeof checkpointsTable
  | typeof commandsTable
  | typeof currentVersionsTable
  | typeof decisionBasesTable
  | typeof decisionSessionsTable
  | typeof decisionsTable
  | typeof decisionThresholdsTable
  | typeof decisionTotalsTable
  | typeof decisionWinsTable
  | typeof exemplarsTable
  | typeof exemplarSessionsTable
  | typeof leaseStoreTable
  | typeof leasesTable
  | typeof leaseTokensTable
  | typeof llmCallDurationsTable
  | typeof llmCallRunsTable
  | typeof llmCallsTable
  | typeof llmCallTotalsTable
  | typeof machinesTable
  | typeof modelCapabilitiesTable
  | typeof proposalsTable
  | typeof schemaVersionTable
  | typeof sessionEventsTable
  | typeof sessionMachinesTable
  | typeof sessionMachineStatesTable
  | typeof sessionStreamsTable
  | typeof sessionsTable
  | typeof sessionTransitionsTable
  | typeof sessionWaitsTable
  | typeof specialistsTable
  | typeof specialistVersionsTable
  | typeof webhookCallsTable;

/** Every table of the read store, as Kysely sees it. */
export type ReadSchema = { [T in AnyTable as T['name']]: RowOf<T> };
