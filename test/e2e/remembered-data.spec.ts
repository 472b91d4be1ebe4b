import { afterEach, describe, expect, it } from '@jest/globals';
import { text } from '#lib/activities/testing';
import type { JsonObject } from '#lib/kernel';
import { startEngine, type TestEngine } from '../support/engine.js';

const schema = { type: 'object', properties: { name: { type: 'string' }, day: { type: 'string' } } };
const booking = {
  id: 'booking',
  title: 'Booking',
  reentrant: true,
  requiredFields: ['name', 'day'],
  steps: [
    { id: 'who', prompt: 'Ask for the name', collect: ['name'] },
    { id: 'when', prompt: 'Ask for the day', collect: ['day'] },
  ],
  onComplete: 'booking',
};

describe('the data of a conversation', () => {
  let engine: TestEngine;
  afterEach(() => engine.stop());

  /** The model extracts what `says` has for the message; functions answer as they are. */
  async function start(says: { readonly [message: string]: JsonObject }, greet: () => unknown) {
    engine = await startEngine(
      ({ body }) => {
        const { response_format: format, messages } = body as object as {
          readonly response_format: { readonly json_schema: { readonly name: string } };
          readonly messages: readonly { readonly role: string; readonly content: string }[];
        };
        const said = messages.findLast(({ role }) => role === 'user')?.content ?? '';
        const { name: purpose } = format.json_schema;
        if (purpose === 'extract') return text(says[said] ?? {});
        return text(purpose === 'respond' ? { message: 'Hm.' } : { intent: 'x', scores: { booking: 90 } });
      },
      { functions: { greet } },
    );
    const { redial } = engine;
    const signal = { id: 'greeted', phase: 'both', behavior: 'once', handler: { fn: 'greet' } } as const;
    const agent = { agentName: 'clerk', model: 'gpt-4o-mini', schema, flows: [booking], signals: [signal] };
    await redial.defineAgent(agent);
    return (await redial.startConversation({ agentName: 'clerk' })).conversationId;
  }

  it('F-4, F-16, F-54: is what was said last and not emptied, begins anew with its flow, and a signal gives some once', async () => {
    let greetings = 0;
    const says = {
      'I am Ann': { name: 'Ann', day: null },
      Hm: { name: '', day: '' },
      'On Friday': { name: 'Ann', day: 'Friday' },
    };
    const conversationId = await start(says, () => ({ contextUpdate: { greetings: ++greetings } }));
    const { redial } = engine;
    const turns = [];
    for (const said of Object.keys(says))
      turns.push(await redial.sendMessage({ conversationId, text: said }));
    expect(turns).toMatchObject([
      { dataChanges: { name: { to: 'Ann' } }, triggeredSignals: [{ phase: 'pre' }] },
      { dataChanges: {}, triggeredSignals: [] },
      {
        isFlowComplete: true,
        dataChanges: { name: { from: 'Ann' } },
        executedSteps: [{ flowId: 'booking', stepId: 'who' }],
      },
    ]);
    expect(await redial.getConversation({ conversationId })).toMatchObject({
      data: {},
      context: { greetings: 1 },
      signals: { triggers: { greeted: { count: 1 } } },
      flowHistory: [{ completed: true }, { completed: false }],
    });
    expect(await redial.replayConversation({ conversationId })).toMatchObject({ identical: true });
  });
});
