import type { alignmentComparisonsTable, alignmentTalliesTable } from '../alignment/alignment.read-model.js';
import type { commandsTable } from '../commands/commands.read-model.js';
import type {
  decisionsTable,
  decisionTotalsTable,
  decisionWinsTable,
  proposalsTable,
} from '../decisions/decisions.tables.js';
import type { exemplarSessionsTable, exemplarsTable } from '../exemplars/exemplars.read-model.js';
import type { logKeysTable } from '../keys/log-key.js';
import type { leasesTable, leaseStoreTable, leaseTokensTable } from '../leases/stored-leases.js';
import type {
  llmCallDurationsTable,
  llmCallsTable,
  llmCallTotalsTable,
} from '../llm-calls/llm-calls.tables.js';
import type { machinesTable } from '../machines/machines.read-model.js';
import type { schemaVersionTable } from '../postgres/migrate.js';
import type { checkpointsTable } from '../runner/checkpoints.js';
import type { sessionEventsTable, sessionStreamsTable } from '../session-events/session-events.read-model.js';
import type { sessionMachinesTable, sessionsTable, sessionWaitsTable } from '../sessions/sessions.tables.js';
import type { specialistTables } from '../specialists/specialists.read-model.js';
import type { SchemaOf } from './table.js';

/** Every table of the read store, as Kysely sees it. */
export type ReadSchema = SchemaOf<
  | typeof alignmentComparisonsTable
  | typeof alignmentTalliesTable
  | typeof checkpointsTable
  | typeof commandsTable
  | typeof decisionsTable
  | typeof decisionTotalsTable
  | typeof decisionWinsTable
  | typeof exemplarsTable
  | typeof exemplarSessionsTable
  | typeof leaseStoreTable
  | typeof leasesTable
  | typeof leaseTokensTable
  | typeof logKeysTable
  | typeof llmCallDurationsTable
  | typeof llmCallsTable
  | typeof llmCallTotalsTable
  | typeof machinesTable
  | typeof schemaVersionTable
  | typeof sessionEventsTable
  | typeof sessionStreamsTable
  | typeof proposalsTable
  | typeof sessionMachinesTable
  | typeof sessionsTable
  | typeof sessionWaitsTable
  | (typeof specialistTables)[number]
>;
