import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type LongSession, playLongSession } from '../support/bytes-of-rounds.js';

const ROUNDS = 200;
/** The rounds before them are decided by a person: from the twelfth on there are five examples to tell. */
const ASKED = [20, ROUNDS];

describe(`proposers and an arbiter that are functions and webhooks, in a session of ${ROUNDS} rounds`, () => {
  let session: LongSession;
  beforeAll(async () => {
    session = await playLongSession(ROUNDS, (round) => ASKED.includes(round));
  }, 60_000);
  afterAll(() => session.stop());

  it('add as many bytes to the log in the last round as in the twentieth', async () => {
    const bytes = await session.bytesOfRounds();
    expect(bytes).toHaveLength(ROUNDS);
    // Durations, positions and headers may have some digits more.
    expect(Math.abs((bytes.at(-1) ?? 0) - (bytes[19] ?? 0))).toBeLessThan(200);
  });

  it('leave decisions of people whose bytes do not grow either, and examples that still tell the whole context', async () => {
    const { engine, sessionId } = session;
    const bytes = await session.bytesOfRounds();
    expect(Math.abs((bytes[198] ?? 0) - (bytes[30] ?? 0))).toBeLessThan(200);
    const { items } = await engine.redial.listExemplars({ machineName: 'turns', limit: 1 });
    const context = { sessionId, currentState: 'left', history: { length: ROUNDS - 2 } };
    expect(items).toMatchObject([{ context }]);
  });

  it('get the whole history, and the list of webhook calls shows it byte for byte', async () => {
    const { engine, hook, sessionId } = session;
    const told = hook.requests.slice(-2).map(({ text }) => text);
    for (const text of told) expect(JSON.parse(text)).toHaveProperty('history.length', ROUNDS - 1);
    const { items } = await engine.redial.listWebhookCallsOfSession({ sessionId });
    const listed = items.map(({ requestBody }) => JSON.stringify(requestBody));
    expect(listed).toEqual(hook.requests.map(({ text }) => text));
  });

  it('are held to it by the replay', async () => {
    const { engine, sessionId } = session;
    expect(await engine.redial.replaySession({ sessionId })).toMatchObject({ identical: true, open: 0 });
  });
});
