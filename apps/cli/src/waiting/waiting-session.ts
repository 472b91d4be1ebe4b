import { type InboxItem, listInbox, type Rows, specialistsOfMachine } from '#lib/projections';
import { everyItem } from '../engine/every-item.js';

/** A session that waits for a person, and the people who may decide. */
export interface WaitingSession extends InboxItem {
  /** The enabled human specialists of the machine, in the order in which they were registered. */
  readonly people: readonly string[];
}

/** Which waiting sessions are meant; default: all. */
export interface WaitingFilter {
  readonly machineName?: string;
  readonly sessionId?: string;
}

/** What has to be in the rows for `waitingSessions`. */
export const WAITING_ROWS = ['sessions', 'proposals', 'specialists'] as const;

/** Oldest first. */
export async function waitingSessions(
  db: Rows<(typeof WAITING_ROWS)[number]>,
  filter: WaitingFilter,
): Promise<readonly WaitingSession[]> {
  const items = await everyItem((page) => listInbox(db, filter, page));
  const machines = [...new Set(items.map(({ machineName }) => machineName))];
  const people = new Map<string, readonly string[]>();
  for (const machineName of machines) people.set(machineName, await peopleOf(db, machineName));
  return items.map((item) => ({ ...item, people: people.get(item.machineName) ?? [] }));
}

async function peopleOf(db: Rows<'specialists'>, machineName: string): Promise<readonly string[]> {
  const registered = await specialistsOfMachine(db, machineName);
  return registered
    .filter(({ isHuman, enabled }) => isHuman && enabled)
    .map(({ specialistId }) => specialistId);
}
