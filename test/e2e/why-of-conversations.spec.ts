import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { text } from '#lib/activities/testing';
import { clerk } from '../support/clerk.js';
import { startEngine, type TestEngine } from '../support/engine.js';

type Body = { readonly response_format?: { readonly json_schema: { readonly name: string } } };
const ANSWERS: { readonly [purpose: string]: object } = {
  route: { intent: 'to book', scores: { booking: 90 } },
  respond: { message: 'And your name?' },
  compact: { summary: 'They said hello.' },
};

describe('why a turn of a conversation went so', () => {
  let engine: TestEngine;
  beforeAll(async () => {
    engine = await startEngine(({ body }) =>
      text(ANSWERS[(body as Body).response_format?.json_schema.name ?? ''] ?? {}),
    );
    await engine.redial.defineAgent(clerk);
    const compaction = { maxTokens: 1, preserveRecentCount: 2 };
    await engine.redial.defineAgent({ ...clerk, agentName: 'short', compaction });
  });
  afterAll(() => engine.stop());

  const begun = async (agentName = 'clerk') =>
    (await engine.redial.startConversation({ agentName })).conversationId;
  const say = (conversationId: string) => engine.redial.sendMessage({ conversationId, text: 'Hello' });
  /** The events of the conversation itself among the causes of its last turn. */
  async function causes(conversationId: string): Promise<readonly number[]> {
    const { nodes } = await engine.redial.whyConversation({ conversationId });
    const own = nodes.filter(({ stream }) => stream.endsWith(`conversation-${conversationId}`));
    return own.map(({ revision }) => revision).toSorted((a, b) => a - b);
  }

  it('has the turns before a directive', async () => {
    const conversationId = await begun();
    await say(conversationId);
    await engine.redial.dispatchDirective({ conversationId, dataUpdate: { day: 'Friday' } });
    await say(conversationId);
    expect(await causes(conversationId)).toEqual([0, 1, 2, 3, 4, 5]);
  });

  it('has the turns before a compaction', async () => {
    const conversationId = await begun('short');
    for (const _ of [1, 2, 3]) await say(conversationId);
    expect(await causes(conversationId)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    const { nodes } = await engine.redial.whyConversation({ conversationId });
    expect(nodes.find(({ type }) => type === 'HistoryCompacted')).toMatchObject({ revision: 5 });
  });

  it('has the turns that a fork goes on from, with their calls', async () => {
    const parent = await begun();
    const { turnId, llmCalls } = await say(parent);
    const { conversationId } = await engine.redial.forkConversation({
      conversationId: parent,
      atTurn: turnId,
    });
    await say(conversationId);
    expect(await causes(conversationId)).toEqual([0, 1, 2, 3, 4, 5]);
    const { nodes } = await engine.redial.whyConversation({ conversationId });
    const asked = nodes.filter(({ type, stream }) => type === 'LlmCallCompleted' && stream.endsWith(turnId));
    expect(asked).toHaveLength(llmCalls.length);
  });
});
