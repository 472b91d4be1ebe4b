import type { Json, JsonObject, Rejection } from '#lib/kernel';
import { jsonText } from '#lib/kernel';
import {
  type Handlers,
  insertRow,
  numberInKey,
  type Page,
  pageOf,
  type PageRequest,
  type Projection,
  type RowOf,
  type Rows,
  storedText,
  storedTime,
  table,
  textFromStored,
  timeFromStored,
} from '#lib/projections';
import type { ToolBody, ToolEvent } from './tools.events.js';
import type { ToolView } from './tools.views.js';

const toolsTable = table(
  'tools_v1',
  {
    tool_id: 'text',
    version: 'integer',
    /** Without `toolId` and `version`, as JSON text. */
    body: 'text',
    created_at: 'bigint',
  },
  ['tool_id', 'version'],
);
type Tables = { tools_v1: RowOf<typeof toolsTable> };

const addTool = insertRow(toolsTable);

const onTool: Handlers<ToolEvent> = {
  ToolRegistered: ({ data: { toolId, version, ...body }, occurredAt }) => [
    addTool({
      tool_id: toolId,
      version,
      body: storedText(jsonText(body)),
      created_at: storedTime(occurredAt),
    }),
  ],
};

/** Every version of every tool. */
export const toolsProjection: Projection<'tools'> = {
  name: 'tools',
  version: 1,
  tables: [toolsTable],
  on: { tool: onTool },
};

/** By id, each in its newest version. */
export function listTools(db: Rows<'tools'>, request: PageRequest): Promise<Page<ToolView> | Rejection> {
  return pageOf(request, {
    list: 'tools',
    read: (after = '', limit) =>
      newest(db).where('tool.tool_id', '>', after).orderBy('tool.tool_id').limit(limit).execute(),
    keyOf: (row) => row.tool_id,
    toItems: (rows) => rows.map(toolView),
  });
}

/** Newest first. */
export function listToolVersions(
  db: Rows<'tools'>,
  toolId: string,
  request: PageRequest,
): Promise<Page<ToolView> | Rejection> {
  return pageOf(request, {
    list: `versions of tool ${toolId}`,
    read: (after, limit) => {
      let query = tools(db).where('tool.tool_id', '=', toolId);
      if (after !== undefined) query = query.where('tool.version', '<', numberInKey(after));
      return query.orderBy('tool.version', 'desc').limit(limit).execute();
    },
    keyOf: (row) => String(row.version),
    toItems: (rows) => rows.map(toolView),
  });
}

/** @param version default: the newest */
export async function getTool(
  db: Rows<'tools'>,
  toolId: string,
  version?: number,
): Promise<ToolView | undefined> {
  const query = (version === undefined ? newest(db) : tools(db).where('tool.version', '=', version)).where(
    'tool.tool_id',
    '=',
    toolId,
  );
  const row = await query.executeTakeFirst();
  return row && toolView(row);
}

function tools(db: Rows<'tools'>) {
  return db.withTables<Tables>().selectFrom('tools_v1 as tool').selectAll();
}

function newest(db: Rows<'tools'>) {
  return tools(db).where((eb) =>
    eb.not(
      eb.exists(
        eb
          .selectFrom('tools_v1 as later')
          .select('later.version')
          .whereRef('later.tool_id', '=', 'tool.tool_id')
          .whereRef('later.version', '>', 'tool.version'),
      ),
    ),
  );
}

function toolView({ tool_id: toolId, version, body, created_at }: RowOf<typeof toolsTable>): ToolView {
  const stored = JSON.parse(textFromStored(body)) as JsonObject & { readonly [name: string]: Json };
  return { toolId, version, ...(stored as object as ToolBody), createdAt: timeFromStored(created_at) };
}
