import { afterEach, expect, it } from '@jest/globals';
import { createTestEngine, expectIdentical, scriptedModel, type TestEngine } from 'redial-engine/testing';
import { findOrder, functions, say, support } from '../../examples/support-conversation.js';

let engine: TestEngine;
afterEach(() => engine.close());

// #region test
it('the agent asks for the number, looks the order up and answers, in one conversation of the visitor', async () => {
  const model = scriptedModel([
    { json: { order: null } },
    { json: { intent: 'Where is it', scores: { sent: 95 }, responseDirectives: [] } },
    { json: { message: 'Which order is it?' } },
    { json: { order: 7 } },
    { toolCall: { name: 'find_order', arguments: { order: 7 } } },
    { json: { message: 'It was sent on 2 March.' } },
  ]);
  engine = await createTestEngine({ model, functions });
  const { redial } = engine;
  await redial.registerTool(findOrder);
  await redial.defineAgent(support);

  expect(await say(redial, 'visitor-1', 'When was my cup sent?')).toBe('Which order is it?');
  expect(await say(redial, 'visitor-1', 'Number 7')).toBe('It was sent on 2 March.');
  expect(JSON.stringify(model.requests.at(-1)?.body)).toContain('2026-03-02');

  const [conversation] = (await redial.listConversations({ key: 'visitor-1' })).items;
  expectIdentical(await redial.replayConversation({ conversationId: conversation?.conversationId ?? '' }));
  model.assertDone();
});
// #endregion
