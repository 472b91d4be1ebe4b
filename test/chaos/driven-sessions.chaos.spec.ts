import { afterEach, beforeEach, expect, it } from '@jest/globals';
import type { EventLog } from '#lib/event-store';
import { verifyAll } from '#lib/replay';
import type { SessionEvent } from '#lib/session';
import { describeOnBothEngines } from '../support/places/describe-on-engines.js';
import { openLogOf } from '../support/places/open-log-of.js';
import type { Place } from '../support/places/place.js';
import { variablesOf } from '../support/places/variables-of.js';
import { ServerProcess } from '../support/server-process.js';
import { HttpCaller } from './http-caller.js';

const SESSIONS = 200;
const CREATED_AT_ONCE = 8;

/** Three rounds, each decided between two proposers. */
const relay = {
  machineName: 'relay',
  initialState: 'a',
  goalState: 'd',
  specialists: [
    { role: 'proposer', specialistId: 'first', strategyFnName: 'firstAvailable' },
    { role: 'proposer', specialistId: 'last', strategyFnName: 'lastAvailable' },
    { role: 'arbiter', specialistId: 'judge', strategyFnName: 'firstProposal' },
  ],
  states: {
    a: { transitions: { walk: 'b', run: 'b' } },
    b: { transitions: { walk: 'c', run: 'c' } },
    c: { transitions: { walk: 'd', run: 'd' } },
    d: {},
  },
};

describeOnBothEngines('the always-on mode of two processes', (emptyPlace) => {
  let place: Place;
  let processes: ServerProcess[];
  let log: EventLog;

  beforeEach(async () => {
    place = await emptyPlace();
    processes = [await startProcess(), await startProcess()];
    log = await openLogOf(place);
  });

  afterEach(async () => {
    await Promise.all(processes.map((each) => each.kill()));
    await log.store.close();
  });

  function startProcess(): Promise<ServerProcess> {
    const variables = Object.entries(variablesOf(place)).filter(([, value]) => value !== undefined);
    return ServerProcess.start({
      ...(Object.fromEntries(variables) as Record<string, string>),
      REDIAL_DRIVE: 'on',
    });
  }

  /** Resolves once the log holds the arrivals at the goal of so many sessions. */
  async function untilArrived(count: number): Promise<readonly SessionEvent[]> {
    const arrived = new Set<string>();
    const transitions: SessionEvent[] = [];
    const patience = new AbortController();
    for await (const batch of log.store.subscribe(undefined, patience.signal)) {
      for (const stored of batch.filter(({ type }) => type === 'TransitionExecuted')) {
        const event = { type: stored.type, data: JSON.parse(stored.data) as object } as SessionEvent;
        transitions.push(event);
        if (event.type === 'TransitionExecuted' && event.data.toState === 'd') arrived.add(stored.stream);
      }
      if (arrived.size >= count) patience.abort();
    }
    return transitions;
  }

  it('brings all sessions to their goals, decides no round twice, and every one replays identically', async () => {
    const callers = processes.map(({ url }) => new HttpCaller(url));
    await callers[0]?.post('/v1/machines', relay);
    const create = async (lane: number) => {
      for (let n = lane; n < SESSIONS; n += CREATED_AT_ONCE)
        await callers[n % callers.length]?.post('/v1/sessions', { machineName: 'relay' });
    };
    await Promise.all(Array.from({ length: CREATED_AT_ONCE }, (_, lane) => create(lane)));
    const transitions = await untilArrived(SESSIONS);

    const rounds = transitions.map(({ data }) => data.roundId);
    expect(rounds).toHaveLength(3 * SESSIONS);
    expect(new Set(rounds).size).toBe(rounds.length);
    let replayed = 0;
    for await (const { identical, open } of verifyAll(log)) {
      expect([identical, open]).toEqual([true, 0]);
      replayed += 1;
    }
    expect(replayed).toBe(SESSIONS);
  });

  it('goes on where a process was killed, once its leases have run out', async () => {
    const [doomed, survivor] = processes as [ServerProcess, ServerProcess];
    const caller = new HttpCaller(survivor.url);
    await caller.post('/v1/machines', relay);
    for (let n = 0; n < 20; n++) await caller.post('/v1/sessions', { machineName: 'relay' });
    await doomed.kill();
    const rounds = (await untilArrived(20)).map(({ data }) => data.roundId);
    expect(new Set(rounds).size).toBe(rounds.length);
    expect(rounds).toHaveLength(60);
  });
});
