import type { Rejection } from '#lib/kernel';
import {
  flag,
  type Handlers,
  hidden,
  insertRow,
  json,
  type Page,
  pageOfRows,
  type PageRequest,
  pick,
  type Projection,
  recordOf,
  type Rows,
  type SchemaOf,
  statement,
  table,
} from '#lib/read-models';
import type { AgentEvent } from './agents.events.js';
import type { AgentView } from './agents.views.js';

const agentsTable = table(
  'agents_v1',
  {
    agent_name: 'text',
    version: 'integer',
    hash: 'text',
    definition: json<AgentView['definition']>(),
    /** The version that was defined last. */
    is_current: hidden(flag),
  },
  ['agent_name', 'version'],
);
type Tables = SchemaOf<typeof agentsTable>;

const addAgent = insertRow(agentsTable);
const makeCurrent = statement(
  pick(agentsTable.columns, ['agent_name', 'version']),
  (db, { agent_name, version }) =>
    db
      .withTables<Tables>()
      .updateTable('agents_v1')
      .set((eb) => ({ is_current: eb.case().when('version', '=', version).then(1).else(0).end() }))
      .where('agent_name', '=', agent_name),
);

const onAgent: Handlers<AgentEvent> = {
  AgentDefined: ({ data }) => [addAgent({ ...data, isCurrent: true }), makeCurrent(data)],
  AgentDefinedAgain: ({ data }) => [makeCurrent(data)],
};

/** Every version of every agent. */
export const agentsProjection: Projection<'agents'> = {
  name: 'agents',
  version: 1,
  tables: [agentsTable],
  on: { agent: onAgent },
};

/** By name, each in its current version. */
export function listAgents(db: Rows<'agents'>, request: PageRequest): Promise<Page<AgentView> | Rejection> {
  return pageOfRows(request, {
    list: 'agents',
    rows: agents(db).where('is_current', '=', 1),
    table: agentsTable,
    by: 'agent_name',
    toItems: (rows) => rows.map((row) => recordOf(agentsTable, row)),
  });
}

/** @param version default: the current one */
export async function getAgent(
  db: Rows<'agents'>,
  agentName: string,
  version?: number,
): Promise<AgentView | undefined> {
  const ofName = agents(db).where('agent_name', '=', agentName);
  const query =
    version === undefined ? ofName.where('is_current', '=', 1) : ofName.where('version', '=', version);
  const row = await query.executeTakeFirst();
  return row && recordOf(agentsTable, row);
}

function agents(db: Rows<'agents'>) {
  return db.withTables<Tables>().selectFrom('agents_v1').selectAll();
}
