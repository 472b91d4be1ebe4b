import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { StoredEvent } from '#lib/event-store';
import { approval } from '../support/approval.workflow.js';
import { startEngine } from '../support/engine.js';
import { embeddedPlaces } from '../support/places/embedded-places.js';
import type { Place } from '../support/places/place.js';
import { placeWith } from '../support/places/place-with.js';
import { untilEvent } from '../support/until-event.js';

const orders = {
  machineName: 'orders',
  initialState: 'open',
  goalState: 'paid',
  states: { open: { transitions: { pay: 'paid' } }, paid: {} },
  specialists: [
    {
      role: 'proposer',
      specialistId: 'clerk',
      workflow: { name: 'approval', input: { item: 'a chair' } },
    },
  ],
};

/** The log as a process that died behind `SessionClosed` would have left it. */
describe('a session that is closed while a proposer is asked', () => {
  const places = embeddedPlaces;
  let whole: readonly StoredEvent[];
  let prefix: string;
  let sessionId: string;

  const start = (place: Place) => startEngine([], { ...place, workflows: [approval] });
  const closed = () => whole.filter(({ type }) => type === 'SessionClosed');
  const before = (type: string) =>
    whole.slice(
      0,
      whole.findIndex((event) => event.type === type),
    );

  beforeAll(async () => {
    const engine = await start(await places.emptyPlace(true));
    const { redial, log } = engine;
    await redial.defineMachine(orders);
    ({ sessionId } = await redial.createSession({ machineName: 'orders' }));
    await redial.runSession({ sessionId });
    await redial.closeSession({ sessionId });
    await untilEvent(log, ({ type }) => type === 'ProposalFailed');
    whole = await log.store.readAll({ limit: 1000 });
    ({ prefix } = log.streams);
    await engine.stop();
  });
  afterAll(() => places.stop());

  it('cancels its runs, and those below them', () => {
    const ends = whole.filter(({ type }) => type === 'WorkflowEnded').map(({ data }) => JSON.parse(data));
    expect(ends).toEqual([
      expect.objectContaining({ status: 'cancelled' }),
      expect.objectContaining({ status: 'cancelled' }),
    ]);
  });

  it('says why in the cancellation of its runs', () => {
    const cancelled = whole.find(({ type }) => type === 'RunCancelRequested');
    expect(JSON.parse(cancelled?.data ?? '{}')).toEqual({ reason: 'the session is closed' });
  });

  it('cancels runs that have begun when the process died before it could', async () => {
    const place = await placeWith(
      await places.emptyPlace(true),
      [...before('SessionClosed'), ...closed()],
      prefix,
    );
    const engine = await start(place);
    await untilEvent(engine.log, ({ type }) => type === 'ProposalFailed');
    expect(await engine.redial.replaySession({ sessionId })).toMatchObject({ identical: true });
    await engine.stop();
  });

  it('begins no run that had not begun', async () => {
    const asked = before('WorkflowStarted');
    const place = await placeWith(await places.emptyPlace(true), [...asked, ...closed()], prefix);
    const engine = await start(place);
    const { redial } = engine;
    await expect(redial.runSession({ sessionId })).rejects.toThrow('it is closed');
    expect(await redial.listRuns({})).toMatchObject({ items: [] });
    await engine.stop();
    const again = await start(place);
    expect((await again.log.store.readAll({ limit: 1000 })).map(({ type }) => type)).toEqual([
      ...asked.map(({ type }) => type),
      'SessionClosed',
    ]);
    await again.stop();
  });
});
