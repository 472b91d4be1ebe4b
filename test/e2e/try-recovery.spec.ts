import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ScriptedLlmServer, toolCall } from '#lib/activities/testing';
import { EngineSettings, eventCatalogue, type RedialOptions } from '#lib/engine';
import type { StoredEvent } from '#lib/event-store';
import { openHistory, regress, Today, verifyHistory } from '#lib/histories';
import { fileWith, historyFile } from '#lib/histories/testing';
import { temporaryFolder } from '#lib/kernel/testing';
import { inMemory, type Place } from '../support/places/place.js';
import { placeWith } from '../support/places/place-with.js';
import { startEngine } from '../support/engine.js';
import { clerk, refunds } from '../support/refunds.js';
import { untilEvent } from '../support/until-event.js';

const { workflows } = new EngineSettings({});
const isOfTry = ({ stream }: Pick<StoredEvent, 'stream'>) => stream.includes('llm_try-');
const again = toolCall('approve', { amount: 7 });

/** The log as a process that died after some event would have left it. */
describe('a try', () => {
  let whole: readonly StoredEvent[];
  let prefix: string;
  let callId: string;
  let runId: string;
  let history: string;
  let llm: ScriptedLlmServer;

  const start = (place: Place, options: RedialOptions = {}) =>
    startEngine([], {
      ...place,
      llm: { apiKey: 'sk-spec', baseUrl: llm.baseUrl, maxAttempts: 1 },
      ...options,
    });

  beforeAll(async () => {
    llm = await ScriptedLlmServer.start([toolCall('approve', {}), again]);
    const engine = await start(inMemory);
    const { redial, log } = engine;
    await redial.defineMachine(refunds);
    await redial.registerSpecialist({ ...clerk, role: 'proposer' });
    const { sessionId } = await redial.createSession({
      machineName: 'refunds',
      metaJson: { text: 'Broken cup' },
    });
    await redial.submitProposal({ sessionId, specialistId: 'clerk' });
    callId = (await redial.listLlmCallsOfSession({ sessionId })).items[0]?.callId ?? '';
    ({ runId } = await redial.tryCall({ callId }, { idempotencyKey: 'once' }));
    whole = await log.store.readAll({ limit: 1000 });
    ({ prefix } = log.streams);
    history = await historyFile(log, runId, workflows);
    await engine.stop();
  });
  afterAll(() => llm.close());

  const cutAfter = (type: string) =>
    whole.slice(0, whole.findIndex((event) => isOfTry(event) && event.type === type) + 1);

  it.each([
    ['WorkflowStarted', 1],
    ['LlmCallRequested', 1],
    ['LlmCallCompleted', 0],
    ['WorkflowEnded', 0],
  ])(
    'that was cut off behind %s is finished by a repeat: what is answered is not asked again',
    async (type, calls) => {
      const place = await placeWith({ dataDir: temporaryFolder() }, cutAfter(type), prefix);
      const engine = await start(place);
      const { redial } = engine;
      const asked = llm.requests.length;
      for (let call = 0; call < calls; call++) llm.enqueue(again);
      const answer = await redial.tryCall({ callId }, { idempotencyKey: 'once' });
      expect(answer).toMatchObject({
        runId,
        call: { workflow: 'llm_try', outcome: 'toolCall' },
        reading: { outcome: 'toolCall', transitionName: 'approve', metaJson: { amount: 7 } },
      });
      expect(await redial.replayRun({ runId })).toMatchObject({ identical: true });
      expect(llm.requests).toHaveLength(asked + calls);
      await engine.stop();
    },
  );

  it('that was cut off is finished by a sweep', async () => {
    const place = await placeWith({ dataDir: temporaryFolder() }, cutAfter('LlmCallRequested'), prefix);
    llm.enqueue(again);
    const engine = await start(place, { recoveryIntervalMs: 50 });
    const { redial, log } = engine;
    await untilEvent(log, (event) => isOfTry(event) && event.type === 'WorkflowEnded');
    expect(await redial.getRun({ runId })).toMatchObject({ status: 'completed' });
    await engine.stop();
  });

  it('that an operator gave up is refused under its key', async () => {
    const ends = (event: StoredEvent) => isOfTry(event) && event.type === 'WorkflowEnded';
    const givenUp = cutAfter('WorkflowEnded').map((event) =>
      ends(event) ? { ...event, type: 'WorkflowGivenUp', data: '{}' } : event,
    );
    const engine = await start(await placeWith({ dataDir: temporaryFolder() }, givenUp, prefix));
    const repeat = engine.redial.tryCall({ callId }, { idempotencyKey: 'once' });
    await expect(repeat).rejects.toMatchObject({ rejection: { code: 'given-up' } });
    await engine.stop();
  });

  it('is refused before anything is written, if its provider is gone or its messages are too large', async () => {
    const place = { dataDir: temporaryFolder() };
    const other = await start(place, { providers: { other: { baseUrl: llm.baseUrl } } });
    await other.redial.defineMachine(refunds);
    await other.redial.registerSpecialist({ ...clerk, role: 'proposer', modelId: 'other/gpt-4o' });
    const { sessionId } = await other.redial.createSession({
      machineName: 'refunds',
      metaJson: { text: 'Cup' },
    });
    llm.enqueue(again);
    await other.redial.submitProposal({ sessionId, specialistId: 'clerk' });
    const { items } = await other.redial.listLlmCallsOfSession({ sessionId });
    await other.stop();
    const engine = await start(place);
    const { redial, log } = engine;
    const of = { callId: items[0]?.callId ?? '' };
    const head = await log.store.head();
    await expect(redial.tryCall(of)).rejects.toMatchObject({ rejection: { code: 'unknown-provider' } });
    const messages = [{ role: 'user', content: 'x'.repeat(2 * 1024 * 1024) }];
    await expect(redial.tryCall({ ...of, modelId: 'gpt-4o', messages })).rejects.toThrow('tooLargeToCheck');
    expect(await log.store.head()).toBe(head);
    await engine.stop();
  });

  it('has a history file that is verified and regressed by itself', async () => {
    const file = fileWith(Buffer.from(history));
    const opened = await openHistory(file, eventCatalogue());
    expect(await verifyHistory(opened, workflows)).toMatchObject({ identical: true });
    await opened.log.store.close();
    const judging = { codec: eventCatalogue(), engine: workflows };
    expect((await regress([file], new Today({ workflows }), judging)).exitCode).toBe(0);
  });
});
