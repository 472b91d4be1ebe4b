import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { toolCall } from '#lib/activities/testing';
import { temporaryFolder } from '#lib/kernel/testing';
import { startEngine, type TestEngine } from '../support/engine.js';
import { EventStoreDbStandIn } from '../support/eventstoredb-stand-in/eventstoredb-stand-in.js';

const DECISIONS = 5;
/** Of the loop, that each request is held: those that the client sends at once overlap. */
const TURNS = 100;

const machine = {
  machineName: 'mail',
  initialState: 'open',
  goalState: 'closed',
  specialists: [
    { role: 'proposer', specialistId: 'clerk', modelId: 'gpt-4o-mini', contextTemplate: 'Decide.' },
  ],
  states: {
    open: {
      transitions: { refund: { target: 'closed', description: 'Give the money back' }, refuse: 'closed' },
    },
    closed: {},
  },
};

/** A request of the client: in the order of what is sent and answered. */
interface Trip {
  readonly what: string;
  readonly sent: number;
  answered: number;
}

let standIn: EventStoreDbStandIn;
let engine: TestEngine;
let dataDir: string;

beforeAll(async () => {
  standIn = await EventStoreDbStandIn.start();
  dataDir = temporaryFolder();
  engine = await engineOnStandIn();
  await engine.redial.defineMachine(machine);
});

afterAll(async () => {
  await engine.stop();
  standIn.kill();
});

function engineOnStandIn(): Promise<TestEngine> {
  return startEngine(() => toolCall('refund', {}), { eventStoreDbUrl: standIn.connectionString(), dataDir });
}

/** All requests to the server while something is done. */
async function tripsOf(work: () => Promise<unknown>): Promise<readonly Trip[]> {
  const trips: Trip[] = [];
  let clock = 0;
  standIn.misbehaviour.onTrip = async (what, stream = '$all') => {
    const category = stream.replace('redial_', '').replace(/-.*/, '');
    const trip: Trip = { what: `${what} ${category}`, sent: clock++, answered: Infinity };
    trips.push(trip);
    for (let turn = 0; turn < TURNS; turn++) await setImmediate();
    return () => (trip.answered = clock++);
  };
  await work();
  standIn.misbehaviour.onTrip = undefined;
  return trips;
}

/** The most of them of which each was sent after the answer to the one before. */
function inARow(trips: readonly Trip[]): readonly Trip[] {
  const row: Trip[] = [];
  for (const trip of trips.toSorted((one, other) => one.answered - other.answered))
    if (trip.sent > (row.at(-1)?.answered ?? -1)) row.push(trip);
  return row;
}

/** Each needs nothing of the others. What the key is bound to, and whether its stream was deleted; the session; the specialist. */
const READ = ['read $$call', 'read call', 'read session', 'read specialist'];

/** The goal is 3 (docs/benchmarks.md). */
const APPENDS_IN_A_ROW = [
  'append session',
  'append solicitation',
  // The model is asked in between.
  'append solicitation',
  'append session',
];

/** The requests of the decision that had the fewest, of some in sessions that an engine has made. */
async function decided(maker: TestEngine): Promise<readonly Trip[]> {
  const decisions: (readonly Trip[])[] = [];
  while (decisions.length < DECISIONS) {
    const { sessionId } = await maker.redial.createSession({ machineName: 'mail' });
    const key = { idempotencyKey: randomUUID() };
    const proposal = () => engine.redial.submitProposal({ sessionId, specialistId: 'clerk' }, key);
    decisions.push(await tripsOf(proposal));
  }
  // The work of the engine in the background adds requests to one of them, and one of those may take the place of an own one in the row.
  const [least = []] = decisions.toSorted((one, other) => one.length - other.length);
  return least;
}

function whatOf(trips: readonly Trip[], kind: 'read' | 'append'): readonly string[] {
  return trips.map(({ what }) => what).filter((what) => what.startsWith(kind));
}

describe('a keyed decision of a model waits for no more round trips to EventStoreDB in a row', () => {
  it('than one of reads and four of appends, in a session that this process knows', async () => {
    const trips = await decided(engine);
    const row = inARow(trips);
    expect(whatOf(row, 'append')).toEqual(APPENDS_IN_A_ROW);
    expect(row).toHaveLength(1 + APPENDS_IN_A_ROW.length);
    expect(whatOf(trips, 'read').toSorted()).toEqual(READ);
  });

  it('than one more where another process made the session, which names the machine of the specialist', async () => {
    const other = await engineOnStandIn();
    const row = inARow(await decided(other));
    expect(whatOf(row, 'append')).toEqual(APPENDS_IN_A_ROW);
    expect(whatOf(row, 'read')).toHaveLength(2);
    expect(whatOf(row, 'read').at(-1)).toBe('read specialist');
    await other.stop();
  });
});
