import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createTestEngine, type Scripted, scriptedModel, type TestEngine } from './public/testing.js';
import { type Streamed, streamed } from './streamed.js';

async function partsOf<Delta extends { readonly text: string }, Answer>(
  parts: AsyncIterable<Streamed<Delta, Answer>>,
): Promise<{ readonly texts: readonly string[]; readonly answer: Answer | undefined }> {
  const texts: string[] = [];
  let answer: Answer | undefined;
  for await (const part of parts)
    if (part.event === 'delta') texts.push(part.data.text);
    else answer = part.data;
  return { texts, answer };
}

describe('0.2-F2: streams in code', () => {
  let engine: TestEngine;

  beforeEach(async () => {
    const reply = JSON.stringify({ message: 'Good day to you' });
    const stream = [reply.slice(0, 18), reply.slice(18, 22), reply.slice(22)];
    const speak: Scripted = ({ body }) =>
      JSON.stringify(body['response_format']).includes('"respond"') ? { stream } : { json: {} };
    engine = await createTestEngine({ model: scriptedModel([speak, speak, speak]) });
  });

  afterEach(() => engine.close());

  it('of a message give the text of the agent as it comes, then the turn', async () => {
    const { redial } = engine;
    await redial.defineAgent({
      agentName: 'host',
      model: 'm',
      modelParameters: { stream: true },
      schema: { type: 'object' },
      flows: [{ title: 'Talk', steps: [{ prompt: 'Talk' }] }],
    });
    const { conversationId } = await redial.startConversation({ agentName: 'host' });
    const { texts, answer } = await partsOf(redial.streamMessage({ conversationId, text: 'Hello' }));
    expect([texts.join(''), texts.length > 1]).toEqual(['Good day to you', true]);
    expect(answer).toMatchObject({ message: 'Good day to you' });
  });

  it('of a run give the text of its models as it comes, then the run', async () => {
    const reply = { delayMs: 1000, reply: { stream: ['Good ', 'day'] } };
    const { redial, idle, close } = await createTestEngine({ model: scriptedModel([reply]) });
    const input = { systemPrompt: '', userPrompt: 'Hello', model: 'm', modelParameters: { stream: true } };
    const { runId } = await redial.startRun({ workflow: 'planner', input: { ...input, tools: [] } });
    const parts = partsOf(redial.streamRun({ runId }));
    await idle();
    const { texts, answer } = await parts;
    expect(texts.join('')).toBe('Good day');
    expect(answer).toMatchObject({ status: 'completed', result: { summary: 'Good day' } });
    await close();
  });

  it('of a run that is not there are refused', async () => {
    const runId = '00000000-0000-4000-8000-000000000000';
    await expect(partsOf(engine.redial.streamRun({ runId }))).rejects.toMatchObject({
      rejection: { code: 'unknown-run' },
    });
  });

  it('throw what the call throws', async () => {
    const conversationId = '00000000-0000-4000-8000-000000000000';
    const parts = partsOf(engine.redial.streamMessage({ conversationId, text: 'Hello' }));
    await expect(parts).rejects.toMatchObject({ rejection: { code: 'unknown-conversation' } });
  });
});

describe('parts of an answer', () => {
  const parts = (count: number, text = 'x') => {
    let listeners = 0;
    let tell: (delta: { readonly text: string }) => void = () => undefined;
    const listen = (listener: typeof tell) => {
      listeners += 1;
      tell = listener;
      return () => (listeners -= 1);
    };
    const work = async () => {
      for (let n = 0; n < count; n++) tell({ text });
      return 'answer';
    };
    return { made: streamed(listen, work), listening: () => listeners };
  };

  it('are left out while more than 64 k characters of them are unread, and the answer is not', async () => {
    const { made, listening } = parts(10, 'x'.repeat(30_000));
    const { texts, answer } = await partsOf(made);
    expect([texts.length, answer, listening()]).toEqual([3, 'answer', 0]);
  });

  it('are not listened to once the answer is there, though their reader asks for no more', async () => {
    const { made, listening } = parts(1);
    let part = await made.next();
    while (part.value?.event !== 'done') part = await made.next();
    expect(listening()).toBe(0);
  });

  it('are not listened to once their reader leaves, nor before it begins', async () => {
    const { made, listening } = parts(2);
    expect(listening()).toBe(0);
    for await (const part of made) {
      expect(part).toEqual({ event: 'delta', data: { text: 'x' } });
      break;
    }
    expect(listening()).toBe(0);
  });
});
