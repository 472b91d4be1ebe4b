import type {
  decisionDaysTable,
  decisionsTable,
  decisionTotalsTable,
  decisionWinsTable,
  proposalsTable,
} from '../decisions/decisions.tables.js';
import type { exemplarsTable } from '../exemplars/exemplars.tables.js';
import type {
  llmCallDurationsTable,
  llmCallsTable,
  llmCallTotalsTable,
} from '../llm-calls/llm-calls.tables.js';
import type { sessionMachinesTable, sessionsTable, sessionWaitsTable } from '../sessions/sessions.tables.js';
import type { SchemaOf } from './table.js';

/** The tables that several queries read, for Kysely. A query in one folder alone declares its table itself. */
export type ReadSchema = SchemaOf<
  | typeof decisionDaysTable
  | typeof decisionsTable
  | typeof decisionTotalsTable
  | typeof decisionWinsTable
  | typeof exemplarsTable
  | typeof llmCallDurationsTable
  | typeof llmCallsTable
  | typeof llmCallTotalsTable
  | typeof proposalsTable
  | typeof sessionMachinesTable
  | typeof sessionsTable
  | typeof sessionWaitsTable
>;
