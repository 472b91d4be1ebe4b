import { isRejection, type Rejection } from '#lib/kernel';
import {
  listInbox,
  type Page,
  type PageRequest,
  type ProjectionName,
  type Rows,
  specialistsOfMachine,
} from '#lib/projections';
import type { InboxItem } from './decisions.views.js';

/** Whose rows `listInboxWithPeople` reads. */
export const INBOX_ROWS = [
  'sessions',
  'proposals',
  'specialists',
] as const satisfies readonly ProjectionName[];

/** The sessions that wait for a person, oldest first, each with the people who may decide. */
export async function listInboxWithPeople(
  db: Rows<(typeof INBOX_ROWS)[number]>,
  filter: { readonly machineName?: string; readonly sessionId?: string },
  request: PageRequest,
): Promise<Page<InboxItem> | Rejection> {
  const found = await listInbox(db, filter, request);
  if (isRejection(found)) return found;
  const people = new Map<string, readonly string[]>();
  for (const { machineName } of found.items)
    if (!people.has(machineName)) people.set(machineName, await peopleOf(db, machineName));
  const items = found.items.map((item) => ({ ...item, people: people.get(item.machineName) ?? [] }));
  return { ...found, items };
}

async function peopleOf(db: Rows<'specialists'>, machineName: string): Promise<readonly string[]> {
  const registered = await specialistsOfMachine(db, machineName);
  return registered
    .filter(({ isHuman, enabled }) => isHuman && enabled)
    .map(({ specialistId }) => specialistId);
}
