import { afterEach, describe, expect, it } from '@jest/globals';
import { httpError, type LlmScript, text } from '#lib/activities/testing';
import { purchase } from '../../examples/purchase.workflow.js';
import { startEngine, type TestEngine } from '../support/engine.js';
import { untilEvent } from '../support/until-event.js';

describe('examples/purchase.workflow.ts', () => {
  let engine: TestEngine;
  let reminded: unknown[];
  afterEach(() => engine.stop());

  async function start(script: LlmScript, quote: () => object, remindAfter: string): Promise<string> {
    reminded = [];
    const functions = { quote, remind: (input: unknown) => reminded.push(input) };
    engine = await startEngine(script, { workflows: [purchase], functions });
    await engine.redial.registerTool({
      toolId: 'supplier_quote',
      description: 'The price of an item',
      parameters: { type: 'object', properties: { item: { type: 'string' } }, required: ['item'] },
      execution: { fnName: 'quote' },
    });
    const input = { item: 'chair', model: 'gpt-4o-mini', tool: 'supplier_quote', remindAfter };
    return (await engine.redial.startRun({ workflow: 'purchase', input, waitMs: 10_000 })).runId;
  }

  it('gets a price and advice, reminds, takes the decision of a person, and replays exactly', async () => {
    const runId = await start([text('A fair price.')], () => ({ price: 99 }), 'PT0.01S');
    const { redial } = engine;
    const again = 'either#2/given/person#1';
    const { position: minPosition } = await untilEvent(
      engine.log,
      ({ data }) => (data as { stepId?: string }).stepId === again,
    );
    const prompt = { title: 'Buy chair?', question: '{"price":99}. A fair price.' };
    expect((await redial.getInbox({ minPosition })).items).toMatchObject([{ runId, prompt }]);
    await redial.signalRun({ runId, name: 'answer', payload: { approved: true } });
    expect(await redial.getRun({ runId, waitMs: 10_000 })).toMatchObject({
      status: 'completed',
      result: { item: 'chair', quote: { price: 99 }, advice: 'A fair price.', approved: true },
    });
    expect(reminded).toEqual([{ item: 'chair' }]);
    expect(await redial.replayRun({ runId })).toMatchObject({ identical: true });
  });

  it('asks the person without advice when the model fails, and reminds nobody before the time', async () => {
    const runId = await start([httpError(400, 'down')], () => ({ price: 99 }), 'PT1M');
    const { awaiting } = await engine.redial.getRun({ runId });
    expect(awaiting).toMatchObject([{ prompt: { question: '{"price":99}. The model gave no advice.' } }]);
    expect(reminded).toEqual([]);
  });

  it('fails when the tool gives no price', async () => {
    const quote = () => {
      throw new Error('out of stock');
    };
    const runId = await start([], quote, 'PT1M');
    const { status, failure } = await engine.redial.getRun({ runId });
    expect([status, failure]).toEqual([
      'failed',
      { kind: 'no-quote', message: expect.stringContaining('out of stock') },
    ]);
  });
});
