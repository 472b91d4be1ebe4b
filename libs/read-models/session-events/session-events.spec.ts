import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { llmCallRequested } from '../testing/llm-events.js';
import { id, type PlacedEvent, sessionCreated, solicitationStarted } from '../testing/sample-log.js';
import { sessionsModel } from '../sessions/sessions.read-model.js';
import { TestParts } from '../testing/test-parts.js';
import { type EventLocation, sessionEventsModel, listSessionEvents } from './session-events.read-model.js';

const arbitrationStarted = {
  type: 'WorkflowStarted',
  data: { workflow: 'arbitration', version: 1, input: {}, facts: {} },
};
const [one, other, asking] = [id('one'), id('other'), id('asking')];
const events: readonly PlacedEvent[] = [
  { category: 'session', id: one, event: sessionCreated(one) },
  { category: 'session', id: other, event: sessionCreated(other) },
  { category: 'solicitation', id: asking, event: solicitationStarted(one), correlationId: one },
  { category: 'machine', id: 'm', event: { type: 'MachineDefined', data: {} }, correlationId: one },
  { category: 'solicitation', id: asking, event: llmCallRequested(id('call')), correlationId: one },
  { category: 'arbitration', id: id('judging'), event: arbitrationStarted, correlationId: one },
];

const asTheyAre = (found: readonly EventLocation[]) => found;

let parts: TestParts;
beforeEach(() => {
  parts = new TestParts();
});
afterEach(() => parts.close());

it('gives the events of a session with its solicitations and arbitrations, in log order', async () => {
  const { db } = await parts.project(events, [sessionsModel, sessionEventsModel]);
  const all = await parts.log.store.readAll({ limit: 10 });
  const places = [0, 2, 4, 5].map((n) => {
    const { stream = '', revision } = all[n] ?? {};
    return { name: parts.log.streams.withoutPrefix(stream), revision };
  });
  expect(await listSessionEvents(db, { sessionId: one }, {}, asTheyAre)).toEqual({
    items: places,
    nextCursor: null,
  });
  const afterPosition = all[0]?.position ?? '';
  const rest = await listSessionEvents(db, { sessionId: one, afterPosition }, { limit: 1 }, asTheyAre);
  expect(rest).toMatchObject({ items: [places[1]] });
  const cursor = ('items' in rest && rest.nextCursor) || '';
  expect(await listSessionEvents(db, { sessionId: one, afterPosition }, { cursor }, asTheyAre)).toEqual({
    items: [places[2], places[3]],
    nextCursor: null,
  });
});
