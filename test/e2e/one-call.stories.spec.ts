import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { heldBack, toolCall } from '#lib/activities/testing';
import { describeOnEachEngine } from '../support/places/describe-on-engines.js';
import type { Place } from '../support/places/place.js';
import { startEngine, type TestEngine } from '../support/engine.js';
import { untilEvent } from '../support/until-event.js';
import { door } from '../support/door.js';
import { gate } from '#lib/kernel/testing';

describeOnEachEngine('one wish is one call on the wire', (emptyPlace) => {
  const engines: TestEngine[] = [];
  let place: Place;

  beforeEach(async () => {
    place = await emptyPlace(true);
  });

  afterEach(async () => {
    for (const engine of engines.splice(0).toReversed()) await engine.stop();
  });

  async function start(...[script, options]: Parameters<typeof startEngine>): Promise<TestEngine> {
    const engine = await startEngine(script, { ...place, ...options });
    engines.push(engine);
    return engine;
  }

  it('when a key is repeated while the first call still runs: the second waits for the same answer', async () => {
    const { opened, open } = gate();
    const { redial, llm } = await start([heldBack(toolCall('push', {}), opened)]);
    await redial.defineMachine(door);
    const { sessionId } = await redial.createSession({ machineName: 'door' });
    const ask = () =>
      redial.submitProposal({ sessionId, specialistId: 'doorman' }, { idempotencyKey: 'knock' });
    const first = ask();
    await llm.received(1);
    const second = ask();
    open();
    expect(await second).toEqual(await first);
    expect(await ask()).toEqual(await first);
    expect(llm.requests).toHaveLength(1);
  });

  it('when two engines at the same place get the same key at once', async () => {
    const { opened, open } = gate();
    const one = await start([heldBack(toolCall('push', {}), opened)]);
    const other = await start([], { llm: { baseUrl: one.llm.baseUrl } });
    await one.redial.defineMachine(door);
    const { sessionId } = await one.redial.createSession({ machineName: 'door' });
    const ask = ({ redial }: TestEngine) =>
      redial.submitProposal({ sessionId, specialistId: 'doorman' }, { idempotencyKey: 'knock' });
    const answers = Promise.all([ask(one), ask(other)]);
    await one.llm.received(1);
    open();
    const [first, second] = await answers;
    expect(second).toEqual(first);
    expect(one.llm.requests).toHaveLength(1);
    expect(await other.redial.replaySession({ sessionId })).toMatchObject({ identical: true });
  });

  it('when a proposer is asked twice in a round without a key: the second is refused', async () => {
    const { opened, open } = gate();
    const { redial, llm } = await start([heldBack(toolCall('push', {}), opened)]);
    await redial.defineMachine(door);
    const { sessionId } = await redial.createSession({ machineName: 'door' });
    const ask = () => redial.submitProposal({ sessionId, specialistId: 'doorman' });
    const first = ask();
    await llm.received(1);
    await expect(ask()).rejects.toMatchObject({
      rejection: { rejected: 'conflict', code: 'solicitation-open' },
    });
    open();
    await first;
    await expect(ask()).rejects.toMatchObject({
      rejection: { rejected: 'conflict', code: 'duplicate-proposal' },
    });
    expect(llm.requests).toHaveLength(1);
  });

  it('when the engine stops during a call: the call is marked, and the answer says that the next process asks again', async () => {
    const { opened, open } = gate();
    const engine = await start([heldBack(toolCall('push', {}), opened)], { shutdownGraceMs: 50 });
    const { redial, llm } = engine;
    await redial.defineMachine(door);
    const { sessionId } = await redial.createSession({ machineName: 'door' });
    const asked = redial
      .submitProposal({ sessionId, specialistId: 'doorman' })
      .catch((error: unknown) => error);
    await llm.received(1);
    const stopped = engine.app.close();
    expect(await asked).toMatchObject({ name: 'SolicitationUnfinished' });
    await stopped;
    open();
    llm.enqueue(toolCall('push', {}));
    const next = await start([], { llm: { baseUrl: llm.baseUrl } });
    const { position } = await untilEvent(next.log, ({ type }) => type === 'ProposalSubmitted');
    const asOf = position !== undefined && { minPosition: position };
    const { items } = await next.redial.listLlmCalls({ sessionId, ...asOf });
    expect(items.map(({ outcome }) => outcome)).toEqual(['toolCall', 'failed']);
  });
});
