import type { Rejection } from '#lib/kernel';
import {
  facts,
  foldedTable,
  type Folds,
  json,
  type Page,
  pageOfRows,
  type PageRequest,
  type ReadModel,
  recordOf,
  type RowOf,
  type Rows,
  type SchemaOf,
  time,
} from '#lib/read-models';
import type { ToolBody, ToolEvent } from './tools.events.js';
import type { ToolView } from './tools.views.js';

const toolsTable = foldedTable(
  'tools',
  {
    tool_id: 'text',
    version: 'integer',
    /** Without `toolId` and `version`. */
    body: json<ToolBody>(),
    created_at: time,
  },
  ['tool_id', 'version'],
);

const toolVersions = facts(toolsTable);

const onTool: Folds<ToolEvent> = {
  ToolRegistered: (page, { data: { toolId, version, ...body }, occurredAt }) =>
    page.add(toolVersions, { toolId, version, body, createdAt: occurredAt }),
};

/** Every version of every tool. */
export const toolsModel: ReadModel<'tools'> = {
  name: 'tools',
  kinds: [toolVersions],
  on: { tool: onTool },
};

/** Tools in their newest versions, by id. */
export function listTools(db: Rows<'tools'>, request: PageRequest): Promise<Page<ToolView> | Rejection> {
  return pageOfRows(request, {
    list: 'tools',
    rows: newest(db),
    table: toolsTable,
    by: 'tool.tool_id',
    toItems: (rows) => rows.map(toolView),
  });
}

/** Versions of a tool, the newest first. */
export function listToolVersions(
  db: Rows<'tools'>,
  toolId: string,
  request: PageRequest,
): Promise<Page<ToolView> | Rejection> {
  return pageOfRows(request, {
    list: `versions of tool ${toolId}`,
    rows: tools(db).where('tool.tool_id', '=', toolId),
    table: toolsTable,
    by: 'tool.version',
    order: 'desc',
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
  return db.withTables<SchemaOf<typeof toolsTable>>().selectFrom(`${toolsTable.name} as tool`).selectAll();
}

function newest(db: Rows<'tools'>) {
  return tools(db).where((eb) =>
    eb.not(
      eb.exists(
        eb
          .selectFrom(`${toolsTable.name} as later`)
          .select('later.version')
          .whereRef('later.tool_id', '=', 'tool.tool_id')
          .whereRef('later.version', '>', 'tool.version'),
      ),
    ),
  );
}

function toolView(row: RowOf<typeof toolsTable>): ToolView {
  const { body, ...tool } = recordOf(toolsTable, row);
  return { ...tool, ...body };
}
