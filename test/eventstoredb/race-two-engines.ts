import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { toolCall } from '#lib/activities/testing';
import { door } from '../support/door.js';
import { startEngine, type TestEngine } from '../support/engine.js';
import { EventStoreDbStandIn } from '../support/eventstoredb-stand-in/eventstoredb-stand-in.js';
import { EmbeddedPlaces } from '../support/places/embedded-places.js';

/** Two engines of one log and one read store get the same at the same time, over and over, while the server's index lags. */
export function describeEngineRaces(indexLagMs: number, rounds: number): void {
  describe(`X-E3: two engines on an index that lags ${indexLagMs} ms behind, ${rounds} times`, () => {
    const places = new EmbeddedPlaces();
    const timeoutMs = 30_000 + rounds * (1_000 + indexLagMs * 20);
    const engines: TestEngine[] = [];
    let standIn: EventStoreDbStandIn;

    beforeAll(async () => {
      standIn = await EventStoreDbStandIn.start({ indexLagMs });
      const { dataDir } = await places.emptyPlace();
      const place = { dataDir, eventStoreDbUrl: standIn.connectionString() };
      const llm = { apiKey: 'sk-canary-0123456789' };
      const one = startEngine(() => toolCall('push', {}), { ...place, llm });
      const other = one.then(({ llm: { baseUrl } }) =>
        startEngine([], { ...place, llm: { ...llm, baseUrl } }),
      );
      engines.push(...(await Promise.all([one, other])));
      await engine(0).redial.defineMachine(door);
    });
    afterAll(async () => {
      for (const each of engines.toReversed()) await each.stop();
      standIn.kill();
      await places.stop();
    });

    const engine = (n: number): TestEngine => engines[n % engines.length] as TestEngine;
    const newSession = async (n: number) =>
      (await engine(n).redial.createSession({ machineName: 'door' })).sessionId;

    it(
      'makes one call for a key that both get, and both answer alike',
      async () => {
        const before = engine(0).llm.requests.length;
        for (let n = 0; n < rounds; n += 1) {
          const sessionId = await newSession(n);
          const key = { idempotencyKey: randomUUID() };
          const request = { sessionId, specialistId: 'doorman' };
          const [one, other] = await Promise.all(
            engines.map(({ redial }) => redial.submitProposal(request, key)),
          );
          expect(other).toEqual(one);
        }
        expect(engine(0).llm.requests.length - before).toBe(rounds);
      },
      timeoutMs,
    );

    it(
      'lets one of two transitions of a round win, and refuses the other',
      async () => {
        for (let n = 0; n < rounds; n += 1) {
          const sessionId = await newSession(n);
          const { currentRoundId: roundId } = await engine(n).redial.getSession(sessionId);
          const outcomes = await Promise.allSettled(
            engines.map(({ redial }) =>
              redial.executeTransition({ sessionId, transitionName: 'push', toState: 'open', roundId }),
            ),
          );
          const [lost] = outcomes.filter((outcome) => outcome.status === 'rejected');
          expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
          expect(lost).toMatchObject({ reason: { rejection: { rejected: 'conflict' } } });
        }
      },
      timeoutMs,
    );

    it('replays everything exactly', async () => {
      const sessionId = await newSession(0);
      await engine(1).redial.submitProposal({ sessionId, specialistId: 'doorman' });
      expect(await engine(0).redial.replaySession(sessionId)).toMatchObject({ identical: true });
    });
  });
}
