import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { heldBack, type ScriptedReply, ScriptedLlmServer, toolCall } from '#lib/activities/testing';
import type { EventLog } from '#lib/event-store';
import type { RecordedEvent } from '#lib/kernel';
import { verifyAll } from '#lib/engine';
import { openLogOf } from '../support/places/open-log-of.js';
import { ServerPlaces } from '../support/places/server-places.js';
import type { Place } from '../support/places/place.js';
import { ServerProcess } from '../support/server-process.js';
import { untilEvent } from '../support/until-event.js';
import { HttpCaller } from './http-caller.js';
import { type Acknowledged, machine, work } from './load.js';

const PROCESSES = 3;
const KEYS = 12;
const TURNS = 60;
/** Defaults: of a solicitation's lease, of the pause between two looks for what was cut off, and what a busy machine adds. */
const TAKEOVER_MS = 15_000 + 5_000 + 60_000;
const ROUNDS_OF_LOAD = 6;

const circle = {
  machineName: 'circle',
  initialState: 'a',
  goalState: 'z',
  states: { a: { transitions: { on: 'b', end: 'z' } }, b: { transitions: { on: 'a' } }, z: {} },
};

describe('several processes on one EventStoreDB and one PostgreSQL', () => {
  let places: ServerPlaces;
  let place: Place;
  let llm: ScriptedLlmServer;
  let script: () => ScriptedReply;
  let processes: ServerProcess[];
  let callers: HttpCaller[];
  let log: EventLog;

  const answer = () => toolCall('answer', { polite: true });

  beforeAll(async () => {
    places = await ServerPlaces.start();
    place = await places.emptyPlace();
    script = answer;
    llm = await ScriptedLlmServer.start(() => script());
    processes = await Promise.all(Array.from({ length: PROCESSES }, startProcess));
    callers = processes.map(({ url }) => new HttpCaller(url));
    log = await openLogOf(place);
    await callerOf(0).post('/v1/machines', machine);
    await callerOf(0).post('/v1/machines', circle);
  });

  afterAll(async () => {
    await Promise.all(processes.map((each) => each.kill()));
    await log.store.close();
    await llm.close();
    await places.stop();
  });

  function startProcess(): Promise<ServerProcess> {
    return ServerProcess.at(place, llm);
  }

  function callerOf(n: number): HttpCaller {
    const caller = callers[n % PROCESSES];
    if (!caller) throw new Error(`There is no process ${n}.`);
    return caller;
  }

  async function openSession(machineName: string): Promise<string> {
    const { body } = await callerOf(0).post('/v1/sessions', { machineName });
    return String(body['sessionId']);
  }

  async function eventsOf(sessionId: string): Promise<readonly RecordedEvent[]> {
    return log.readStream(log.streams.of('session', sessionId));
  }

  it('settles by revision what many want of one session at once: nothing is lost, nothing happens twice', async () => {
    const sessionId = await openSession('circle');
    const specialists = Array.from({ length: 12 }, (_, n) => `voter-${n}`);
    for (const specialistId of specialists) {
      const human = { role: 'proposer', specialistId, machineName: 'circle', isHuman: true };
      await callerOf(1).post('/v1/specialists', human);
    }
    const voted = await Promise.all(
      specialists.map((specialistId, n) =>
        callerOf(n).postUntilSettled(`/v1/sessions/${sessionId}/proposals`, {
          specialistId,
          transitionName: 'on',
        }),
      ),
    );
    expect(voted.map(({ status }) => status)).toEqual(specialists.map(() => 201));
    const granted: string[] = [];
    // Each continues from the round it has seen: of those that saw the same one, one wins.
    const turn = async (n: number): Promise<void> => {
      const caller = callerOf(n);
      const { body: session } = await caller.get(`/v1/sessions/${sessionId}`);
      const toState = session['currentState'] === 'a' ? 'b' : 'a';
      const wish = { transitionName: 'on', toState, roundId: session['currentRoundId'] };
      const { status, body } = await caller.postUntilSettled(`/v1/sessions/${sessionId}/transitions`, wish);
      const outcome = status === 200 ? 'granted' : `${status} ${String(body['code'])}`;
      expect(['granted', '409 round-over']).toContain(outcome);
      if (outcome === 'granted') granted.push(String(session['currentRoundId']));
    };
    const worker = async (n: number) => {
      for (let turns = 0; turns < TURNS / (2 * PROCESSES); turns++) await turn(n);
    };
    await Promise.all(Array.from({ length: 2 * PROCESSES }, (_, n) => worker(n)));
    const events = await eventsOf(sessionId);
    const proposals = events.filter(({ type }) => type === 'ProposalSubmitted');
    expect(proposals.map(({ data }) => (data as { specialistId: string }).specialistId).toSorted()).toEqual(
      specialists.toSorted(),
    );
    const rounds = events
      .filter(({ type }) => type === 'TransitionExecuted')
      .map(({ data }) => (data as { roundId: string }).roundId);
    expect(new Set(rounds).size).toBe(rounds.length);
    expect(rounds.toSorted()).toEqual(granted.toSorted());
    expect(events.map(({ revision }) => revision)).toEqual(events.map((_, n) => n));
  });

  it('makes one call of a key that two processes get at once, and both give the same answer', async () => {
    const before = llm.requests.length;
    for (let n = 0; n < KEYS; n++) {
      const sessionId = await openSession('ticket');
      const key = randomUUID();
      const ask = (caller: HttpCaller) =>
        caller.post(`/v1/sessions/${sessionId}/proposals`, { specialistId: 'model' }, key);
      const [one, other] = await Promise.all([ask(callerOf(n)), ask(callerOf(n + 1))]);
      expect(one.status).toBe(201);
      expect([other.status, other.body, other.position]).toEqual([one.status, one.body, one.position]);
    }
    expect(llm.requests.length - before).toBe(KEYS);
  });

  it('answers a query with a position on any of them with what was written to another', async () => {
    const sessionId = await openSession('circle');
    for (let n = 0; n < 12; n++) {
      const toState = n % 2 === 0 ? 'b' : 'a';
      const path = `/v1/sessions/${sessionId}`;
      const written = await callerOf(n).post(`${path}/transitions`, { transitionName: 'on', toState });
      const seen = await Promise.all(
        callers.map((caller) => caller.get(`${path}?minPosition=${written.position}`)),
      );
      expect(seen.map(({ body }) => body)).toEqual(callers.map(() => written.body));
    }
  });

  it('takes over what a killed process had asked, within the time of its lease', async () => {
    const sessionId = await openSession('ticket');
    const before = llm.requests.length;
    script = () => heldBack(answer(), new Promise(() => {}));
    const asked = callerOf(0)
      .post(`/v1/sessions/${sessionId}/proposals`, { specialistId: 'model' })
      .catch(({ name }: Error) => name);
    await llm.received(before + 1);
    script = answer;
    const killedAt = Date.now();
    await processes[0]?.kill();
    expect(await asked).toBe('TypeError');
    const closing = await untilEvent(
      log,
      ({ type, stream }) => type === 'ProposalSubmitted' && stream.endsWith(sessionId),
    );
    expect(closing.data).toMatchObject({ transitionName: 'answer' });
    expect(Date.parse(closing.metadata.occurredAt) - killedAt).toBeLessThan(TAKEOVER_MS);
    expect(llm.requests.length).toBe(before + 2);
    const path = `/v1/sessions/${sessionId}/proposals`;
    const seen = await callerOf(2).get(`${path}?minPosition=${closing.position}`);
    expect(seen.body['items']).toHaveLength(1);
    await replaceProcess(0);
  });

  async function replaceProcess(n: number): Promise<void> {
    const next = await startProcess();
    processes[n] = next;
    callers[n] = new HttpCaller(next.url);
  }

  it(`keeps all that was acknowledged when one after the other is killed under load, ${ROUNDS_OF_LOAD} times`, async () => {
    const acknowledged: Acknowledged = { sessions: new Map(), proposals: new Map(), positions: [] };
    for (let round = 0; round < ROUNDS_OF_LOAD; round++) {
      const victim = round % PROCESSES;
      let answers = 0;
      const killed = new Promise<void>((resolve) => {
        const onAnswer = () => {
          answers += 1;
          if (answers === 15 + 5 * round) resolve(processes[victim]?.kill());
        };
        workers.push(...[0, 1, 2].map(() => work(callerOf(victim).url, acknowledged, onAnswer)));
      });
      await Promise.race([killed, Promise.all(workers)]);
      await Promise.all(workers.splice(0));
      await replaceProcess(victim);
    }
    const known = new Set<string>();
    const events = await log.store.readAll({ limit: 1_000_000 });
    for (const { position } of events) known.add(position);
    expect(acknowledged.positions.filter((position) => !known.has(position))).toEqual([]);
    expect(acknowledged.positions.length).toBeGreaterThan(ROUNDS_OF_LOAD * 15);
  });

  const workers: Promise<void>[] = [];

  it('has sessions that all replay identically', async () => {
    let sessions = 0;
    for await (const report of verifyAll(log)) {
      expect(report).toMatchObject({ identical: true });
      sessions += 1;
    }
    expect(sessions).toBeGreaterThan(KEYS);
  });
});
