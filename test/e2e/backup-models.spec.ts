import { afterEach, describe, expect, it } from '@jest/globals';
import { httpError, type LlmScript, text } from '#lib/activities/testing';
import { startEngine, type TestEngine } from '../support/engine.js';
import { untilEvent } from '../support/until-event.js';

interface Body {
  readonly model: string;
  readonly response_format?: { readonly json_schema: { readonly name: string } };
}

const down = httpError(503, 'overloaded');
const program = (code: string) => text(`\`\`\`tsx\n${code}\n\`\`\``);
const models = { model: 'first', backupModels: ['second'] };

describe('a backup model', () => {
  let engine: TestEngine;
  afterEach(() => engine.stop());

  /** @returns the models in the order in which they are asked */
  async function start(answer: (body: Body, number: number) => ReturnType<typeof text>): Promise<string[]> {
    const asked: string[] = [];
    const script: LlmScript = ({ body }) => {
      const question = body as object as Body;
      asked.push(question.model);
      return answer(question, asked.length);
    };
    engine = await startEngine(script);
    return asked;
  }

  it('F-65: is no longer the only one after a question of a turn that no model has answered', async () => {
    const asked = await start(({ response_format: format }) =>
      format?.json_schema.name === 'respond' ? text({ message: 'Hello.' }) : down,
    );
    const { redial } = engine;
    await redial.defineAgent({
      agentName: 'clerk',
      ...models,
      schema: { type: 'object', properties: { name: { type: 'string' } } },
      flows: [{ id: 'help', title: 'Help', steps: [{ id: 'explain', prompt: 'Explain' }] }],
    });
    const { conversationId } = await redial.startConversation({ agentName: 'clerk' });
    await redial.sendMessage({ conversationId, text: 'Hello' });
    expect(asked).toEqual(['first', 'second', 'first', 'second', 'first']);
    expect(await redial.replayConversation({ conversationId })).toMatchObject({ identical: true });
  });

  it('L-66: is asked again only in the turn of a conversation of code in which the first model has failed', async () => {
    const asked = await start(({ model }, number) =>
      model === 'first' && number === 1 ? down : program('yield "Hello.";\nreturn { action: "listen" };'),
    );
    const { redial } = engine;
    const input = { instructions: 'Greet', ...models, tools: [], chat: true };
    const { runId } = await redial.startRun({ workflow: 'code', input, waitMs: 10_000 });
    for (const [index, said] of ['Hello', 'And again'].entries()) {
      await redial.signalRun({ runId, name: 'message', payload: { text: said } });
      const next = `message-${index + 2}`;
      await untilEvent(
        engine.log,
        ({ type, data }) => type === 'SignalAwaited' && (data as { stepId?: string }).stepId === next,
      );
    }
    expect(asked).toEqual(['first', 'second', 'first']);
    expect(await redial.replayRun({ runId })).toMatchObject({ identical: true });
  });
});
