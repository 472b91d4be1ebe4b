import type { RedialServer } from '../support/redial-server.js';
import type { Door } from './doors.js';

/** What each operation is asked, so that it answers with success. Names differ by door: each creates and deletes its own. */
export const inputs: { readonly [operation: string]: (door: Door) => object } = {
  registerPerson: (door) => ({ personId: `new-of-${door}`, name: 'Ann', role: 'reviewer' }),
  replacePersonToken: () => ({ personId: 'known' }),
  deletePerson: (door) => ({ personId: `old-of-${door}` }),
  listPeople: () => ({ limit: 1 }),
  getPerson: () => ({ personId: 'known' }),
};

/** What has to be there. */
export async function prepare(server: RedialServer): Promise<void> {
  const people = ['known', ...['http', 'facade', 'mcp', 'cli'].map((door) => `old-of-${door}`)];
  for (const personId of people) await server.post('/v1/people', { personId, role: 'viewer' });
}
