import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { httpError, ScriptedLlmServer, setEnvironment, text, toolCall } from '#lib/activities/testing';
import { executeProposerLlm, type LlmProposerContext } from './execute-proposer-llm.js';
import type { LlmAuditEntry } from './llm-audit.js';

const usage = { prompt_tokens: 10, completion_tokens: 5 };
const plain = { approve: 'approved', reject: 'rejected' };
const enriched = { approve: { target: 'approved', description: 'Accept it' }, reject: 'rejected' };
const decision = { transitionName: 'approve', toState: 'approved', reasoning: 'fine' };

const contextOf = (transitions: LlmProposerContext['transitions']): LlmProposerContext => ({
  sessionId: 'session-1',
  currentState: 'review',
  prompt: 'Publish?',
  transitions,
  history: [],
});

let server: ScriptedLlmServer;
let restore: () => void;
let entries: LlmAuditEntry[];
const propose = (transitions: LlmProposerContext['transitions'], modelId = 'gpt-x') =>
  executeProposerLlm(() => 'The text.', modelId, contextOf(transitions), {
    record: (entry) => void entries.push(entry),
    specialistId: 'ai-1',
  });

beforeEach(async () => {
  server = await ScriptedLlmServer.start();
  restore = setEnvironment({ OPENAI_API_KEY: 'sk-canary-0123456789', OPENAI_BASE_URL: server.baseUrl });
  entries = [];
});
afterEach(async () => {
  restore();
  await server.close();
});

describe('executeProposerLlm', () => {
  it('case 25: takes a tool call: its target, its arguments in metaJson, its text as reasoning, its tokens', async () => {
    server.enqueue(toolCall('approve', { score: 7 }, { content: 'Good', usage }));
    expect(await propose(enriched)).toEqual({
      transitionName: 'approve',
      toState: 'approved',
      reasoning: 'Good',
      metaJson: { score: 7 },
      latencyMsec: expect.any(Number),
      numInputTokens: 10,
      numOutputTokens: 5,
    });
    expect(server.requests[0]?.body).toMatchObject({ model: 'gpt-x', temperature: 0, tool_choice: 'auto' });
    expect(server.requests[0]?.text).toContain('The text.');
    expect(entries).toMatchObject([{ responseStatus: 200, error: null, specialistId: 'ai-1' }]);
  });

  it('case 25: latencyMsec is not negative, and tokens that are not reported are absent', async () => {
    server.enqueue(toolCall('approve', {}));
    const proposal = await propose(enriched);
    expect(proposal.latencyMsec).toBeGreaterThanOrEqual(0);
    expect(proposal).not.toHaveProperty('numInputTokens');
  });

  it('case 26: leaves metaJson out for arguments {}', async () => {
    server.enqueue(toolCall('approve', {}));
    expect(await propose(enriched)).not.toHaveProperty('metaJson');
  });

  it('case 27: fails for an unknown tool, says which transitions exist, and does not fall back', async () => {
    server.enqueue(toolCall('constructor', {}));
    await expect(propose(enriched)).rejects.toThrow(/does not match any transition.*"approve", "reject"/);
  });

  it('case 28: takes decision JSON from the text of the first call', async () => {
    server.enqueue(text(decision, { usage }));
    expect(await propose(enriched)).toMatchObject({ ...decision, numInputTokens: 10, numOutputTokens: 5 });
  });

  it('case 29: keeps the metaJson of that decision', async () => {
    server.enqueue(text({ ...decision, metaJson: { a: 1 } }));
    expect(await propose(enriched)).toMatchObject({ metaJson: { a: 1 } });
  });

  it.each([
    ['case 30: text that is not JSON', 'I think so.'],
    ['case 31: JSON without toState', { transitionName: 'approve' }],
    ['case 31: JSON without transitionName', { toState: 'approved' }],
  ])('%s leads to a fresh text-mode call, and tokens are summed', async (_, first) => {
    server.enqueue(text(first, { usage }), text(decision, { usage }));
    expect(await propose(enriched)).toMatchObject({ ...decision, numInputTokens: 20, numOutputTokens: 10 });
    expect(server.requests[1]?.body).not.toHaveProperty('tools');
    expect(entries).toHaveLength(2);
  });

  it('case 32: fails for an HTTP error without falling back', async () => {
    server.enqueue(httpError(503, 'busy'));
    await expect(propose(enriched)).rejects.toThrow('LLM API error (503)');
    expect(entries).toHaveLength(1);
  });

  it('case 33: fails for a network error with its message, without falling back', async () => {
    const undo = setEnvironment({ OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' });
    await expect(propose(enriched)).rejects.toThrow('connect ECONNREFUSED 127.0.0.1:1');
    undo();
    expect(entries).toMatchObject([{ responseStatus: null, error: 'connect ECONNREFUSED 127.0.0.1:1' }]);
  });

  it('case 34: takes the text path for [tools=no], with the flag stripped', async () => {
    server.enqueue(text(decision));
    expect(await propose(enriched, 'gpt-x[tools=no]')).toMatchObject(decision);
    expect(server.requests[0]?.body).toMatchObject({ model: 'gpt-x' });
    expect(server.requests[0]?.body).not.toHaveProperty('tools');
  });

  it('35 to 37: takes the text path where nothing is enriched, metaJson only where it is given', async () => {
    server.enqueue(
      text({ ...decision, metaJson: { a: 1 } }),
      text(`\`\`\`json\n${JSON.stringify(decision)}\n\`\`\``),
    );
    expect(await propose(plain)).toMatchObject({ ...decision, metaJson: { a: 1 } });
    expect(await propose(plain)).not.toHaveProperty('metaJson');
  });

  it('fails with the content of a text-mode reply that cannot be read', async () => {
    server.enqueue(text('Perhaps.'));
    await expect(propose(plain)).rejects.toThrow('Failed to parse LLM proposer response: Perhaps.');
  });

  it('fails with the message of a context function that throws, and calls no model', async () => {
    const contextFn = () => Promise.reject(new Error('database is down'));
    await expect(executeProposerLlm(contextFn, 'gpt-x', contextOf(plain))).rejects.toThrow(
      'database is down',
    );
    expect(server.requests).toEqual([]);
  });

  it('asks neither the context function nor the model without a key', async () => {
    const undo = setEnvironment({ OPENAI_API_KEY: '' });
    const asked: string[] = [];
    const contextFn = () => (asked.push('context'), 'text');
    await expect(executeProposerLlm(contextFn, 'gpt-x', contextOf(plain))).rejects.toThrow('OPENAI_API_KEY');
    undo();
    expect(asked).toEqual([]);
  });
});
