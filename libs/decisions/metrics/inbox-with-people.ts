import type { Rejection } from '#lib/kernel';
import {
  type InboxFilter,
  inboxItems,
  type InboxRow,
  inboxRows,
  type Page,
  pageOf,
  type PageRequest,
  type Rows,
  specialistsOfMachine,
  uuidFromStored,
} from '#lib/read-models';
import { type AwaitRow, awaitOfRow, awaitRows } from '#lib/runs/runs/core';
import type { AwaitedItem, InboxItem } from './decisions.views.js';

/** The projections that `listInboxWithPeople` reads. */
export const INBOX_ROWS = ['sessions', 'specialists', 'runs'] as const;

/** The name of a conversation's stream without the prefix. */
const OF_CONVERSATION = /^conversation-(.+)$/;

type InboxRows = Rows<(typeof INBOX_ROWS)[number]>;
type Waiting = InboxRow | AwaitRow;
type Item = InboxItem | AwaitedItem;

/**
 * Sessions and runs that wait for a person, oldest first; sessions with the people who may decide. The filter selects sessions;
 * with one, no run is listed.
 * @param internal workflows: only their runs that a stream has asked for are listed
 */
export function listInboxWithPeople(
  db: InboxRows,
  filter: InboxFilter,
  request: PageRequest,
  internal: readonly string[],
): Promise<Page<Item> | Rejection> {
  const hasFilter = filter.machineName !== undefined || filter.sessionId !== undefined;
  return pageOf<Waiting, Item>(request, {
    list: 'inbox',
    // Each row has the definition of its machine, and the proposals of its round.
    rowsAtOnce: 8,
    read: async (after, limit) => {
      const sessions = await inboxRows(db, filter, after, limit);
      const runs = hasFilter ? [] : await awaitRows(db, internal, after, limit);
      return [...sessions, ...runs].toSorted(byPosition).slice(0, limit);
    },
    keyOf: ({ position }) => position,
    toItems: async (rows) => {
      const decisions = await decisionItems(
        db,
        rows.filter((row) => 'session_id' in row),
      );
      return rows.flatMap((row) => ('session_id' in row ? (decisions.get(row) ?? []) : awaitedItem(row)));
    },
  });
}

function byPosition(one: Waiting, other: Waiting): number {
  return one.position < other.position ? -1 : 1;
}

async function decisionItems(
  db: InboxRows,
  rows: readonly InboxRow[],
): Promise<ReadonlyMap<Waiting, InboxItem>> {
  const people = new Map<string, readonly string[]>();
  for (const { machine_name } of rows)
    if (!people.has(machine_name)) people.set(machine_name, await peopleOf(db, machine_name));
  const items = await inboxItems(db, rows);
  return new Map(
    rows.flatMap((row, index) => {
      const item = items[index];
      return item ? [[row, { kind: 'decision', ...item, people: people.get(row.machine_name) ?? [] }]] : [];
    }),
  );
}

function awaitedItem(row: AwaitRow): AwaitedItem {
  const awaited = awaitOfRow(row);
  const kind = awaited.signal === 'approval' ? 'approval' : 'answer';
  const [, conversationId] = OF_CONVERSATION.exec(row.owner_stream ?? '') ?? [];
  const about = conversationId !== undefined && { conversationId };
  return Object.assign(
    { kind, runId: uuidFromStored(row.run_id), workflow: row.workflow, ...about } as const,
    awaited,
  );
}

async function peopleOf(db: Rows<'specialists'>, machineName: string): Promise<readonly string[]> {
  const registered = await specialistsOfMachine(db, machineName);
  return registered
    .filter(({ isHuman, enabled }) => isHuman && enabled)
    .map(({ specialistId }) => specialistId);
}
