import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { scenarios } from '../replay/scenarios.js';
import { startEngine } from '../support/engine.js';
import { EventStoreDbStandIn } from '../support/eventstoredb-stand-in/eventstoredb-stand-in.js';

describe('the engine on EventStoreDB, over the wire', () => {
  let server: EventStoreDbStandIn;

  beforeAll(async () => {
    server = await EventStoreDbStandIn.start();
  });

  afterAll(() => server.kill());

  const stories = scenarios.filter(({ name }) =>
    ['text-fallback', 'reask', 'http-error', 'whole-process'].includes(name),
  );

  it.each(stories)('tells the same story as on the file: $name', async ({ name, replies, options, play }) => {
    const eventStoreDbUrl = server.connectionString();
    const streamPrefix = `story_${name.replaceAll('-', '')}_`;
    const engine = await startEngine(replies, { ...options, eventStoreDbUrl, streamPrefix });
    const sessionId = await play(engine.redial);
    expect(await engine.redial.replaySession(sessionId)).toMatchObject({ identical: true, open: 0 });
    const session = await engine.redial.getSession(sessionId);
    expect(await engine.redial.sessionAt(sessionId, session.revision)).toEqual(session);
    await engine.stop();

    const restarted = await startEngine([], { ...options, eventStoreDbUrl, streamPrefix });
    await restarted.redial.defineMachine({
      machineName: 'other',
      initialState: 'a',
      goalState: 'a',
      states: { a: {} },
    });
    expect(await restarted.redial.getSession(sessionId)).toEqual(session);
    await restarted.stop();
  });
});
