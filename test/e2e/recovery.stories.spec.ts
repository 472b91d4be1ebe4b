import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ScriptedLlmServer, toolCall } from '#lib/activities/testing';
import type { StoredEvent } from '#lib/event-store';
import type { RecordedEvent } from '#lib/kernel';
import { startEngine } from '../support/engine.js';
import { describeOnEachEngine } from '../support/places/describe-on-engines.js';
import { placeWith } from '../support/places/place-with.js';
import { untilEvent } from '../support/until-event.js';
import { door } from '../support/door.js';

const closes = ({ type }: { type: string }) => type === 'ProposalSubmitted' || type === 'ProposalFailed';

/** The log as a process that died after some event would have left it. */
describeOnEachEngine('a solicitation that was cut off', (emptyPlace) => {
  let llm: ScriptedLlmServer;
  let whole: readonly StoredEvent[];
  let prefix: string;
  let sessionId: string;

  beforeAll(async () => {
    llm = await ScriptedLlmServer.start(() => toolCall('push', { hard: true }));
    const engine = await startEngine([], { ...(await emptyPlace()), llm: { baseUrl: llm.baseUrl } });
    await engine.redial.defineMachine(door);
    ({ sessionId } = await engine.redial.createSession({ machineName: 'door' }));
    await engine.redial.submitProposal({ sessionId, specialistId: 'doorman' });
    const { store, streams } = engine.log;
    const isOfLog = ({ stream }: StoredEvent) => streams.parse(stream)?.category === 'log';
    whole = (await store.readAll({ limit: 100 })).filter((event) => !isOfLog(event));
    ({ prefix } = streams);
    await engine.stop();
  });

  afterAll(() => llm.close());

  async function recoverFrom(
    cut: number,
  ): Promise<{ closing: RecordedEvent; calls: number; types: string[]; identical: boolean }> {
    const place = await placeWith(await emptyPlace(true), whole.slice(0, cut), prefix);
    const before = llm.requests.length;
    const engine = await startEngine([], {
      ...place,
      llm: { baseUrl: llm.baseUrl },
      recoveryIntervalMs: 50,
    });
    try {
      const closing = await untilEvent(engine.log, closes);
      const { items } = await engine.redial.listSessionEvents({
        sessionId,
        limit: 100,
        minPosition: closing.position,
      });
      const { identical } = await engine.redial.replaySession({ sessionId });
      return {
        closing,
        calls: llm.requests.length - before,
        types: items.map(({ type }) => type),
        identical,
      };
    } finally {
      await engine.stop();
    }
  }

  function cutAfter(type: string): number {
    return whole.findIndex((event) => event.type === type) + 1;
  }

  it.each(['ProposalSolicited', 'WorkflowStarted'])(
    'is asked after a cut behind %s: nothing was sent yet',
    async (type) => {
      const { closing, calls, types, identical } = await recoverFrom(cutAfter(type));
      expect(closing.type).toBe('ProposalSubmitted');
      expect(calls).toBe(1);
      expect(types.filter(closesType)).toEqual(['ProposalSubmitted']);
      expect(identical).toBe(true);
    },
  );

  it('is asked again after a cut behind LlmCallRequested, as a call of its own; the first is marked as interrupted', async () => {
    const { closing, calls, types, identical } = await recoverFrom(cutAfter('LlmCallRequested'));
    expect(closing).toMatchObject({ type: 'ProposalSubmitted', data: { transitionName: 'push' } });
    expect(calls).toBe(1);
    const asked = ['LlmCallRequested', 'LlmCallFailed', 'LlmCallRequested', 'LlmCallCompleted'];
    expect(types.slice(-6)).toEqual([...asked, 'WorkflowEnded', 'ProposalSubmitted']);
    expect(identical).toBe(true);
  });

  it.each(['LlmCallCompleted', 'WorkflowEnded'])(
    'is finished from the reply after a cut behind %s',
    async (type) => {
      const { closing, calls, identical } = await recoverFrom(cutAfter(type));
      expect(closing).toMatchObject({
        type: 'ProposalSubmitted',
        data: { transitionName: 'push', metaJson: { hard: true } },
      });
      expect(calls).toBe(0);
      expect(identical).toBe(true);
    },
  );
});

function closesType(type: string): boolean {
  return closes({ type });
}
