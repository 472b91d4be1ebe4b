import type { Rejection } from '#lib/kernel';
import {
  documents,
  facts,
  foldedTable,
  type Folds,
  json,
  type Page,
  pageOfRows,
  type PageRequest,
  type ReadModel,
  recordOf,
  type Rows,
  type SchemaOf,
} from '#lib/read-models';
import type { AgentEvent } from './agents.events.js';
import type { AgentView } from './agents.views.js';

const versionsTable = foldedTable(
  'agent_versions',
  { agent_name: 'text', version: 'integer', hash: 'text', definition: json<AgentView['definition']>() },
  ['agent_name', 'version'],
);

/** The current version of each agent. */
const agentsTable = foldedTable('agents', { agent_name: 'text', current_version: 'integer' }, ['agent_name']);

const agents = documents(agentsTable, 'agent_name');
const versions = facts(versionsTable);

const onAgent: Folds<AgentEvent> = {
  AgentDefined: (page, { data }) => {
    page.add(versions, data);
    page.put(agents, { agentName: data.agentName, currentVersion: data.version });
  },
  AgentDefinedAgain: (page, { data: { agentName, version } }) =>
    page.put(agents, { agentName, currentVersion: version }),
};

/** Every version of every agent. */
export const agentsModel: ReadModel<'agents'> = {
  name: 'agents',
  kinds: [agents, versions],
  of: { agent: [agents] },
  on: { agent: onAgent },
};

/** The current version of each agent, by name. */
export function listAgents(db: Rows<'agents'>, request: PageRequest): Promise<Page<AgentView> | Rejection> {
  return pageOfRows(request, {
    list: 'agents',
    rows: currentVersions(db),
    table: versionsTable,
    by: 'one.agent_name',
    toItems: (rows) => rows.map((row) => recordOf(versionsTable, row)),
  });
}

/** @param version default: the current one */
export async function getAgent(
  db: Rows<'agents'>,
  agentName: string,
  version?: number,
): Promise<AgentView | undefined> {
  const rows = version === undefined ? currentVersions(db) : agentRows(db).where('one.version', '=', version);
  const row = await rows.where('one.agent_name', '=', agentName).executeTakeFirst();
  return row && recordOf(versionsTable, row);
}

function agentRows(db: Rows<'agents'>) {
  return db
    .withTables<SchemaOf<typeof agentsTable | typeof versionsTable>>()
    .selectFrom(`${agentsTable.name} as agent`)
    .innerJoin(`${versionsTable.name} as one`, 'one.agent_name', 'agent.agent_name')
    .selectAll('one');
}

function currentVersions(db: Rows<'agents'>) {
  return agentRows(db).whereRef('one.version', '=', 'agent.current_version');
}
