import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { temporaryFolder } from '#lib/kernel/testing';
import { ScriptedLlmServer, toolCall } from '#lib/activities/testing';
import { EventStoreDbEventStore } from '#lib/event-store-eventstoredb';
import { door } from '../support/door.js';
import { startEngine, type TestEngine } from '../support/engine.js';
import { EventStoreDbStandIn } from '../support/eventstoredb-stand-in/eventstoredb-stand-in.js';
import { anEvent } from './sample-events.js';

const house = {
  ...door,
  specialists: [...door.specialists, { role: 'proposer', specialistId: 'porter', isHuman: true }],
};

/** Starts of whole engines take their time: one pair for so many rounds. */
const ROUNDS_A_START = 50;
/** Rounds, each with a session of its own, that run at the same time. */
const AT_ONCE = 5;

/** Two engines of one log and one read store get the same at the same time, over and over, while the server's index lags. */
export function describeEngineRaces(indexLagMs: number, rounds: number): void {
  describe(`X-E3: two engines on an index that lags ${indexLagMs} ms behind, ${rounds} times`, () => {
    const timeoutMs = 60_000 + (rounds / AT_ONCE) * (5_000 + indexLagMs * 50);
    let engines: readonly TestEngine[];
    let standIn: EventStoreDbStandIn;
    let llm: ScriptedLlmServer;

    beforeAll(async () => {
      standIn = await EventStoreDbStandIn.start({ indexLagMs });
      llm = await ScriptedLlmServer.start(() => toolCall('push', {}));
      engines = await startTwo('redial_');
      await engine(0).redial.defineMachine(house);
    }, timeoutMs);
    afterAll(async () => {
      await Promise.all(engines.map((each) => each.stop()));
      standIn.kill();
      await llm.close();
    });

    const engine = (n: number): TestEngine => engines[n % engines.length] as TestEngine;
    const newSession = async (n: number) =>
      (await engine(n).redial.createSession({ machineName: 'door' })).sessionId;
    /** @param calls of the model, in each round */
    const inRounds = (calls: number, round: (n: number) => Promise<void>) => async () => {
      const before = llm.requests.length;
      const left = Array.from({ length: rounds }, (_, n) => n).values();
      const worker = async () => {
        for (const n of left) await round(n);
      };
      await Promise.all(Array.from({ length: AT_ONCE }, worker));
      expect(llm.requests.length - before).toBe(calls * rounds);
    };

    async function startTwo(streamPrefix: string): Promise<readonly TestEngine[]> {
      const dataDir = temporaryFolder();
      const options = {
        dataDir,
        streamPrefix,
        eventStoreDbUrl: standIn.connectionString(),
        llm: { apiKey: 'sk-canary-0123456789', baseUrl: llm.baseUrl },
      };
      return Promise.all([startEngine([], options), startEngine([], options)]);
    }

    /** Both get it at once: one proposal is recorded. */
    async function propose(n: number, request: object, key: { idempotencyKey?: string }) {
      const sessionId = await newSession(n);
      const body = { sessionId, specialistId: 'doorman', ...request };
      const outcomes = await Promise.allSettled(
        engines.map(({ redial }) => redial.submitProposal(body, key)),
      );
      const { log } = engine(n);
      const events = await log.readStream(log.streams.of('session', sessionId));
      expect(events.filter(({ type }) => type === 'ProposalSubmitted')).toHaveLength(1);
      return outcomes;
    }

    async function proposeWithKey(n: number, request: object): Promise<void> {
      const [one, other] = await propose(n, request, { idempotencyKey: randomUUID() });
      expect(one?.status).toBe('fulfilled');
      expect(other).toEqual(one);
    }

    it(
      'make one call for a key that both get, and answer alike',
      inRounds(1, (n) => proposeWithKey(n, {})),
      timeoutMs,
    );

    it(
      'record a proposal of a person that both get once, and answer alike',
      inRounds(0, (n) => proposeWithKey(n, { specialistId: 'porter', transitionName: 'push' })),
      timeoutMs,
    );

    it(
      'make one call for a proposer that both ask without a key, and refuse one',
      inRounds(1, async (n) => {
        const [lost, ...others] = (await propose(n, {}, {})).filter(({ status }) => status === 'rejected');
        expect(others).toEqual([]);
        expect(lost).toMatchObject({ reason: { rejection: { rejected: 'conflict' } } });
      }),
      timeoutMs,
    );

    it(
      'let one of two transitions of a round win, and refuse the other',
      inRounds(0, async (n) => {
        const sessionId = await newSession(n);
        const { currentRoundId: roundId } = await engine(n).redial.getSession({ sessionId });
        const outcomes = await Promise.allSettled(
          engines.map(({ redial }) =>
            redial.executeTransition({ sessionId, transitionName: 'push', toState: 'open', roundId }),
          ),
        );
        const [lost] = outcomes.filter((outcome) => outcome.status === 'rejected');
        expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
        expect(lost).toMatchObject({ reason: { rejection: { rejected: 'conflict' } } });
      }),
      timeoutMs,
    );

    it(
      'open one log on an empty prefix that both start on',
      inRounds(0, async (n) => {
        const connectionString = standIn.connectionString();
        const streamPrefix = `empty${n}_`;
        const open = () => EventStoreDbEventStore.open({ connectionString, streamPrefix });
        const [one, other] = await Promise.all([open(), open()]);
        expect(other.logId).toBe(one.logId);
        await one.append(`${streamPrefix}s`, 'no-stream', [anEvent()]);
        expect(await other.readStream(`${streamPrefix}s`)).toHaveLength(1);
        await Promise.all([one.close(), other.close()]);
      }),
      timeoutMs,
    );

    it(
      'both start on an empty prefix, and either answers for the other',
      async () => {
        for (let n = 0; n < rounds; n += ROUNDS_A_START) {
          const pair = await startTwo(`start${n}_`);
          await pair[0]?.redial.defineMachine(house);
          const opened = await pair[1]?.redial.createSession({ machineName: 'door' });
          expect(opened).toMatchObject({ currentState: 'closed' });
          await Promise.all(pair.map((each) => each.stop()));
        }
      },
      timeoutMs,
    );

    it('replay everything exactly', async () => {
      const sessionId = await newSession(0);
      await engine(1).redial.submitProposal({ sessionId, specialistId: 'doorman' });
      expect(await engine(0).redial.replaySession({ sessionId })).toMatchObject({ identical: true });
    });
  });
}
