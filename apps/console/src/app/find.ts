import { server } from '../data/server.js';
import type { Search } from './search-params.js';

/** A page and the search part of its address. */
interface Place {
  readonly to: string;
  readonly search: Search;
}

/** The filters of lists that a text may stand for. */
type LabelFilter = { readonly idPrefix: string } | { readonly key: string } | { readonly tag: string };

type Count = (filter: LabelFilter) => Promise<{ readonly items: readonly unknown[] }> | undefined;

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;
const START = /^[0-9a-f-]{1,36}$/;

/** The first item of each list that fits a filter; `undefined` for a filter that the list does not have. */
const LISTS: readonly (readonly [path: string, first: Count])[] = [
  ['/sessions', (filter) => server().listSessions({ ...filter, history: 'none', limit: 1 })],
  ['/runs', (filter) => server().listRuns({ ...filter, limit: 1 })],
  ['/conversations', (filter) => server().listConversations({ ...filter, limit: 1 })],
  ['/calls', (filter) => ('idPrefix' in filter ? server().listLlmCalls({ ...filter, limit: 1 }) : undefined)],
  ['/tasks', (filter) => ('key' in filter ? server().listTasks({ ...filter, limit: 1 }) : undefined)],
];

/**
 * The target of a search: the page of a whole id, else a list with an item whose id begins with the text, or that has this key or tag. The
 * current list comes before the others.
 * @param here the path of the current page
 */
export async function placeOf(text: string, here: string): Promise<Place> {
  const page = await pageOfId(text.toLowerCase());
  if (page !== undefined) return { to: page, search: {} };
  const lists = LISTS.toSorted(([one], [other]) => Number(other === here) - Number(one === here));
  const filters = meaningsOf(text);
  const places = lists.flatMap(([to, first]) => filters.map((search) => ({ to, search, first })));
  const found = await Promise.all(places.map(({ search, first }) => hasSome(first, search)));
  const place = places[Math.max(0, found.indexOf(true))];
  return { to: place?.to ?? '/sessions', search: { ...place?.search } };
}

function meaningsOf(text: string): readonly LabelFilter[] {
  const start = text.toLowerCase();
  return [
    ...(START.test(start) ? [{ idPrefix: start }] : []),
    { key: text },
    ...(text.includes(':') ? [{ tag: text }] : []),
  ];
}

/** A text that cannot be a key is refused, and so finds no item. If the server cannot be asked, the list shows the reason. */
async function hasSome(first: Count, filter: LabelFilter): Promise<boolean> {
  const page = await first(filter)?.catch(() => undefined);
  return page !== undefined && page.items.length > 0;
}

/** The page of the object with this whole id, of any kind; `undefined` for a text that is no id, or an unknown id. */
async function pageOfId(id: string): Promise<string | undefined> {
  if (!UUID.test(id)) return undefined;
  const redial = server();
  const places: readonly (readonly [list: string, read: () => Promise<unknown>])[] = [
    ['sessions', () => redial.getSession({ sessionId: id })],
    ['tasks', () => redial.getTask({ taskId: id })],
    ['runs', () => redial.getRun({ runId: id })],
    ['conversations', () => redial.getConversation({ conversationId: id })],
    ['calls', () => redial.getLlmCall({ callId: id })],
  ];
  for (const [list, read] of places) if (await exists(read)) return `/${list}/${id}`;
  return undefined;
}

/** If the server cannot be asked, the page of the list shows the reason. */
async function exists(read: () => Promise<unknown>): Promise<boolean> {
  try {
    await read();
    return true;
  } catch {
    return false;
  }
}
