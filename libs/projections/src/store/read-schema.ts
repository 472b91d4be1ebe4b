import type { commandsTable } from '../commands/commands.table.js';
import type { leasesTable } from '../leases/leases.table.js';
import type { llmCallSolicitationsTable, llmCallsTable } from '../llm-calls/llm-calls.tables.js';
import type { machinesTable } from '../machines/machines.table.js';
import type { schemaVersionTable } from '../postgres/schema-version.table.js';
import type { proposalsTable } from '../proposals/proposals.table.js';
import type { checkpointsTable } from '../runner/checkpoints.table.js';
import type { sessionEventsTable } from '../session-events/session-events.table.js';
import type {
  sessionMachinesTable,
  sessionMachineStatesTable,
  sessionsTable,
  sessionTransitionsTable,
} from '../sessions/sessions.tables.js';
import type { solicitationsTable } from '../solicitations/solicitations.table.js';
import type { specialistsTable } from '../specialists/specialists.table.js';
import type { RowOf } from './table.js';

type AnyTable =
  | typeof checkpointsTable
  | typeof commandsTable
  | typeof leasesTable
  | typeof llmCallSolicitationsTable
  | typeof llmCallsTable
  | typeof machinesTable
  | typeof proposalsTable
  | typeof schemaVersionTable
  | typeof sessionEventsTable
  | typeof sessionMachinesTable
  | typeof sessionMachineStatesTable
  | typeof sessionsTable
  | typeof sessionTransitionsTable
  | typeof solicitationsTable
  | typeof specialistsTable;

/** Every table of the read store, as Kysely sees it. */
export type ReadSchema = { [T in AnyTable as T['name']]: RowOf<T> };
