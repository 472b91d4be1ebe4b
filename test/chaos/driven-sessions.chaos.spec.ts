import { afterEach, beforeEach, expect, it } from '@jest/globals';
import type { EventLog, StoredEvent } from '#lib/event-store';

import { verifyAll } from '#lib/engine';
import type { SessionEvent } from '#lib/decisions/session';
import { describeOnBothEngines } from '../support/places/describe-on-engines.js';
import { openLogOf } from '../support/places/open-log-of.js';
import type { Place } from '../support/places/place.js';
import { variablesOf } from '../support/places/variables-of.js';
import { ServerProcess } from '../support/server-process.js';
import { HttpCaller } from './http-caller.js';

/** Sessions on two files, and on the servers with `CASES=all`: there they take five times as long. */
const ALL = 200;
const ON_SERVERS = process.env['CASES'] === 'all' ? ALL : 50;
const CREATED_AT_ONCE = 8;
/** Longer than all sessions take on a busy machine. */
const PATIENCE_MS = 300_000;

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
  let sessions: number;

  beforeEach(async () => {
    place = await emptyPlace(true);
    sessions = place.databaseUrl === undefined ? ALL : ON_SERVERS;
    processes = [await startProcess(), await startProcess()];
    log = await openLogOf(place);
  });

  afterEach(async () => {
    await Promise.all(processes.map((each) => each.kill()));
    await log.store.close();
  });

  function startProcess(): Promise<ServerProcess> {
    return ServerProcess.start({
      ...variablesOf(place),
      REDIAL_DRIVE: 'on',
    });
  }

  /**
   * Resolves once the log holds the arrivals at the goal of so many sessions.
   * @param onEvent called with every event, in the order of the log
   * @throws once `PATIENCE_MS` have passed, with the last event of each session that stands still
   */
  async function untilArrived(
    count: number,
    onEvent: (event: StoredEvent) => void = () => undefined,
  ): Promise<readonly SessionEvent[]> {
    const standing = new Map<string, string>();
    const transitions: SessionEvent[] = [];
    let arrived = 0;
    const over = new AbortController();
    const signal = AbortSignal.any([over.signal, AbortSignal.timeout(PATIENCE_MS)]);
    for await (const batch of log.store.subscribe(undefined, signal)) {
      for (const stored of batch) {
        onEvent(stored);
        if (log.streams.parse(stored.stream)?.category === 'session')
          standing.set(stored.stream, stored.type);
        if (stored.type !== 'TransitionExecuted') continue;
        const event = { type: stored.type, data: JSON.parse(stored.data) as object } as SessionEvent;
        transitions.push(event);
        if (event.type === 'TransitionExecuted' && event.data.toState === 'd') {
          arrived += 1;
          standing.delete(stored.stream);
        }
      }
      if (arrived >= count) over.abort();
    }
    if (arrived < count) throw new Error(`Stand still: ${JSON.stringify([...standing])}`);
    return transitions;
  }

  it('drives all sessions to their goals, decides no round twice, and every one replays identically', async () => {
    const callers = processes.map(({ url }) => new HttpCaller(url));
    await callers[0]?.post('/v1/machines', relay);
    const create = async (lane: number) => {
      for (let n = lane; n < sessions; n += CREATED_AT_ONCE)
        await callers[n % callers.length]?.post('/v1/sessions', { machineName: 'relay' });
    };
    await Promise.all(Array.from({ length: CREATED_AT_ONCE }, (_, lane) => create(lane)));
    const transitions = await untilArrived(sessions);

    const rounds = transitions.map(({ data }) => data.roundId);
    expect(rounds).toHaveLength(3 * sessions);
    expect(new Set(rounds).size).toBe(rounds.length);
    let replayed = 0;
    for await (const { identical, open } of verifyAll(log)) {
      expect([identical, open]).toEqual([true, 0]);
      replayed += 1;
    }
    expect(replayed).toBe(sessions);
  });

  it('continues after a process was killed, and needs no person: proposers that were asked are asked again', async () => {
    const [doomed, survivor] = processes as [ServerProcess, ServerProcess];
    const caller = new HttpCaller(survivor.url);
    await caller.post('/v1/machines', relay);
    for (let n = 0; n < 20; n++) await caller.post('/v1/sessions', { machineName: 'relay' });
    await doomed.kill();
    const rounds = (
      await untilArrived(20, ({ type }) => {
        expect(['ProposalFailed', 'HumanInputRequested']).not.toContain(type);
      })
    ).map(({ data }) => data.roundId);
    expect(new Set(rounds).size).toBe(rounds.length);
    expect(rounds).toHaveLength(60);
  });
});
