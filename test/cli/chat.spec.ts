import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { text, toolCall } from '#lib/activities/testing';
import type { JsonObject } from '#lib/kernel';
import { CommandLine } from './command-line.js';

const agent = {
  agentName: 'payer',
  model: 'gpt-4o-mini',
  flows: [{ id: 'paying', title: 'Paying', steps: [{ id: 'do', prompt: 'Pay', tools: ['pay'] }] }],
};

describe('redial chat', () => {
  let cli: CommandLine;
  beforeEach(async () => {
    cli = await CommandLine.open();
    const route = text({ intent: 'pay', scores: { paying: 90 } });
    cli.llm.enqueue(route, toolCall('pay', {}));
  });
  afterEach(() => cli.close());

  /** A conversation whose turn waits for the approval of a call. */
  const waiting = (needsApproval: JsonObject | boolean) =>
    cli.prepare(async (redial) => {
      await redial.registerPerson({ personId: 'mia', role: 'reviewer' });
      await redial.registerTool({
        toolId: 'pay',
        description: 'Pays',
        parameters: { type: 'object' },
        execution: { webhookUrl: 'http://127.0.0.1:9/pay' },
        policy: { needsApproval },
      });
      await redial.defineAgent(agent);
      const { conversationId } = await redial.startConversation({ agentName: 'payer' });
      const turn = await redial.sendMessage({ conversationId, text: 'Pay' });
      expect(turn.status).toBe('waiting');
      return conversationId;
    });

  const chat = async (conversationId: string, ...lines: readonly string[]) => {
    cli.typed = Readable.from(lines);
    return cli.run('chat', await cli.file('agent.json', agent), '--conversation', conversationId);
  };

  it('goes on with a conversation that waits for an approval: the first line answers it', async () => {
    cli.llm.enqueue(text({ message: 'Not paid.' }));
    const { exitCode, out, err } = await chat(await waiting(true), 'n');
    expect([exitCode, out]).toEqual([0, 'Not paid.\n']);
    expect(err).toMatch(/^conversation \S+ with payer version 1\n {2}waits for approval of .*: y or n\n/);
  });

  it('takes the next line for the answer that is still waited for after one was refused', async () => {
    const { out, err } = await chat(await waiting({ people: ['mia'] }), 'n', 'n');
    const refused = err.split('\n').filter((line) => line.startsWith('['));
    const notAPerson = expect.stringContaining('[NotAPerson]');
    expect([out, refused]).toEqual(['', [notAPerson, notAPerson]]);
  });
});
