import { afterEach, describe, expect, it } from '@jest/globals';
import { httpError, type LlmScript, text } from '#lib/activities/testing';
import { purchase } from '../../examples/purchase.workflow.js';
import { startEngine, type TestEngine } from '../support/engine.js';
import { untilEvent } from '../support/until-event.js';

describe('examples/purchase.workflow.ts', () => {
  let engine: TestEngine;
  let reminded: unknown[];
  afterEach(() => engine.stop());

  async function start(script: LlmScript, quote: () => object, remindAfterMs: number): Promise<string> {
    reminded = [];
    const functions = { quote, remind: (input: unknown) => reminded.push(input) };
    engine = await startEngine(script, { workflows: [purchase], functions });
    await engine.redial.registerTool({
      toolId: 'supplier_quote',
      description: 'The price of an item',
      parameters: { type: 'object', properties: { item: { type: 'string' } }, required: ['item'] },
      execution: { fnName: 'quote' },
    });
    const input = { item: 'chair', model: 'gpt-4o-mini', tools: ['supplier_quote'], remindAfterMs };
    return (await engine.redial.startRun({ workflow: 'purchase', input, waitMs: 10_000 })).runId;
  }

  it('gets a price and advice, reminds, takes the decision of a person, and replays exactly', async () => {
    const runId = await start([text('A fair price.')], () => ({ price: 99 }), 10);
    const { redial } = engine;
    await untilEvent(engine.log, ({ type }) => type === 'FunctionCallCompleted');
    const known = { item: 'chair', quote: { price: 99 }, advice: 'A fair price.' };
    expect((await redial.getInbox()).items).toMatchObject([{ kind: 'approval', runId, prompt: known }]);
    await redial.signalRun({ runId, name: 'approval', payload: { approved: true } });
    expect(await redial.getRun({ runId, waitMs: 10_000 })).toMatchObject({
      status: 'completed',
      result: { ...known, decision: { approved: true } },
    });
    expect(reminded).toEqual([{ item: 'chair' }]);
    expect(await redial.replayRun({ runId })).toMatchObject({ identical: true });
  });

  it('asks the person without advice when the model fails, and reminds nobody before the time', async () => {
    const runId = await start([httpError(400, 'down')], () => ({ price: 99 }), 60_000);
    const { awaiting } = await engine.redial.getRun({ runId });
    expect(awaiting).toMatchObject([{ prompt: { advice: 'The model gave no advice.' } }]);
    expect(reminded).toEqual([]);
  });

  it('fails when the tool gives no price', async () => {
    const quote = () => {
      throw new Error('out of stock');
    };
    const runId = await start([], quote, 60_000);
    const { status, failure } = await engine.redial.getRun({ runId });
    expect([status, failure]).toEqual([
      'failed',
      { kind: 'no-quote', message: expect.stringContaining('out of stock') },
    ]);
  });
});
