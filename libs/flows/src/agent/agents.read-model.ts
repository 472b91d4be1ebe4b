import { type Json, jsonText, type Rejection } from '#lib/kernel';
import {
  type Handlers,
  insertRow,
  type Page,
  pageOf,
  type PageRequest,
  type Projection,
  type RowOf,
  type Rows,
  statement,
  storedText,
  table,
  textFromStored,
} from '#lib/projections';
import type { AgentEvent } from './agents.events.js';
import type { AgentView } from './agents.views.js';

const agentsTable = table(
  'agents_v1',
  {
    agent_name: 'text',
    version: 'integer',
    hash: 'text',
    /** JSON text. */
    definition: 'text',
    /** 1 for the version that was defined last. */
    is_current: 'integer',
  },
  ['agent_name', 'version'],
);
type Tables = { agents_v1: RowOf<typeof agentsTable> };

const addAgent = insertRow(agentsTable);
const makeCurrent = statement<{ agentName: string; version: number }>((db, { agentName, version }) =>
  db
    .withTables<Tables>()
    .updateTable('agents_v1')
    .set((eb) => ({ is_current: eb.case().when('version', '=', version).then(1).else(0).end() }))
    .where('agent_name', '=', agentName),
);

const onAgent: Handlers<AgentEvent> = {
  AgentDefined: ({ data: { agentName, version, hash, definition } }) => [
    addAgent({
      agent_name: agentName,
      version,
      hash,
      definition: storedText(jsonText(definition)),
      is_current: 1,
    }),
    makeCurrent({ agentName, version }),
  ],
  AgentDefinedAgain: ({ data: { agentName, version } }) => [makeCurrent({ agentName, version })],
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
  return pageOf(request, {
    list: 'agents',
    read: (after = '', limit) =>
      agents(db)
        .where('is_current', '=', 1)
        .where('agent_name', '>', after)
        .orderBy('agent_name')
        .limit(limit)
        .execute(),
    keyOf: (row) => row.agent_name,
    toItems: (rows) => rows.map(agentView),
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
  return row && agentView(row);
}

function agents(db: Rows<'agents'>) {
  return db.withTables<Tables>().selectFrom('agents_v1').selectAll();
}

function agentView({
  agent_name: agentName,
  version,
  hash,
  definition,
}: RowOf<typeof agentsTable>): AgentView {
  const stored = JSON.parse(textFromStored(definition)) as Json;
  return { agentName, version, hash, definition: stored as object as AgentView['definition'] };
}
