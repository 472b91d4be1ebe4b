import { toolCall } from '#lib/activities/testing';
import type { RedialServer } from '../support/redial-server.js';
import type { Door } from './doors.js';

/** What each operation is asked, so that it answers with success. Names differ by door: each creates and deletes its own. */
export const inputs: { readonly [operation: string]: (door: Door) => object } = {
  getCollapseMetrics: () => ({ machineName: 'gift' }),
  getDecisionLog: () => ({ machineName: 'gift', how: 'override', from: '2020-01-01T00:00:00Z' }),
  getAlignment: () => ({ machineName: 'gift', rule: 'ratio;halfLife=5' }),
  listExemplars: () => ({ machineName: 'gift', state: 'offered' }),
  getInbox: () => ({ machineName: 'gift' }),
  getModelStatistics: () => ({ by: 'day', machineName: 'gift' }),
  registerPerson: (door) => ({ personId: `new-of-${door}`, name: 'Ann', role: 'reviewer' }),
  replacePersonToken: () => ({ personId: 'known' }),
  deletePerson: (door) => ({ personId: `old-of-${door}` }),
  listPeople: () => ({ limit: 1 }),
  getPerson: () => ({ personId: 'known' }),
};

/** A case that a model and a person are asked about. */
const gift = {
  machineName: 'gift',
  initialState: 'offered',
  goalState: 'kept',
  states: {
    offered: {
      prompt: 'Keep it?',
      transitions: { keep: { target: 'kept', description: 'Keep it' }, decline: 'returned' },
    },
    kept: {},
    returned: {},
  },
  specialists: [
    { role: 'proposer', specialistId: 'model', modelId: 'gpt-4o-mini', contextTemplate: 'A gift.' },
    { role: 'proposer', specialistId: 'ann', isHuman: true },
  ],
};

/** For the model, once. */
export const script = [toolCall('keep', {})];

/** What has to be there: people, a session that a person decided, and one that waits for a person. */
export async function prepare(server: RedialServer): Promise<void> {
  const people = ['known', ...['http', 'facade', 'mcp', 'cli'].map((door) => `old-of-${door}`)];
  for (const personId of people) await server.post('/v1/people', { personId, role: 'viewer' });
  await server.post('/v1/machines', gift);
  const decided = await newSession(server);
  await server.post(`${decided}/proposals`, { specialistId: 'model' });
  await server.post(`${decided}/arbitrations`, { specialistId: 'ann', transitionName: 'keep' });
  const waiting = await newSession(server);
  await server.post(`${waiting}/proposals`, { specialistId: 'ann', transitionName: 'decline' });
  await server.post('/v1/specialists/model/disable');
  await server.post(`${waiting}/tick`);
}

async function newSession(server: RedialServer): Promise<string> {
  const { body } = await server.post('/v1/sessions', { machineName: 'gift' });
  return `/v1/sessions/${(body as { sessionId: string }).sessionId}`;
}
