import { describe, expect, it } from '@jest/globals';
import type { Activity, Outcome, RunEnd } from '#lib/workflow';
import {
  functionCallRules,
  type LlmCallRequested,
  llmCallRules,
  type LlmMemory,
  toolCallRules,
} from '#lib/call-rules';
import { type Json, jsonText, type RecordedEvent, sha256 } from '#lib/kernel';
import { sampleRoute } from '#lib/call-rules/testing';
import {
  inContext,
  type Kill,
  killAtEveryAppend,
  type KilledRun,
  type KilledStory,
} from '#lib/workflow/testing';
import { normalizeAgent } from '../agent/normalize-agent.rules.js';
import { turn } from './turn.workflow.js';

type Pass = (milliseconds: number) => Promise<void>;

const agent = normalizeAgent({
  agentName: 'clerk',
  model: 'gpt-4o-mini',
  signalBatchSize: 1,
  signals: ['one', 'two'].map((id) => ({ id, phase: 'pre', when: id })),
  compaction: { maxTokens: 1, preserveRecentCount: 2 },
  flows: [
    {
      id: 'f',
      title: 'F',
      tools: ['find', 'look'],
      steps: [{ id: 's', prepare: { fn: 'ready' }, prompt: 'Do' }],
    },
  ],
});
const context = {
  agent,
  data: {},
  context: {},
  completedFlows: [],
  history: [{ role: 'user', content: 'earlier' }],
  revisions: [2],
  signals: {},
  now: '',
};

function reply(message: object): Outcome {
  const text = jsonText({
    choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: 'stop' }],
  });
  const body = { encoding: 'utf8', content: text, sha256: sha256(text) };
  return { completed: { status: 200, requestHeaders: {}, responseHeaders: {}, body, durationMs: 1 } };
}

/** The model calls two tools at once, then answers. */
function answerTo(labels: LlmCallRequested['data']['labels'], stepId: string): Outcome {
  const said = (content: object) => reply({ content: jsonText(content) });
  if (labels?.['purpose'] === 'route') return said({ intent: 'x', scores: { f: 90 } });
  if (labels?.['purpose'] === 'signals') return said({ signals: {} });
  if (labels?.['purpose'] === 'compact') return said({ summary: 'They asked.' });
  if (!stepId.startsWith('respond-1#')) return said({ message: 'Done.' });
  const calls = ['find', 'look'].map((name) => ({
    id: name,
    type: 'function',
    function: { name, arguments: '{}' },
  }));
  return reply({ content: null, tool_calls: calls });
}

/** The calls made, by run and step. */
class Made {
  readonly calls: string[] = [];

  llm(pass: Pass): Activity<LlmMemory> {
    return {
      ...llmCallRules,
      preflight: () => undefined,
      perform: async ({ labels }, { runId, stepId }) => {
        this.calls.push(`${runId} ${stepId}`);
        await pass(1_000);
        return answerTo(labels as LlmCallRequested['data']['labels'], stepId);
      },
    };
  }

  hook(pass: Pass): Activity<never> {
    return {
      ...functionCallRules,
      preflight: () => undefined,
      perform: async (_, { runId, stepId }) => {
        this.calls.push(`${runId} ${stepId}`);
        await pass(1_000);
        return { completed: { result: {}, durationMs: 1 } };
      },
    } as Activity<never>;
  }

  tool(pass: Pass): Activity<never> {
    return {
      ...toolCallRules,
      preflight: () => undefined,
      perform: async (_, { runId, stepId }) => {
        this.calls.push(`${runId} ${stepId}`);
        await pass(1_000);
        return { completed: { result: { success: true, message: 'ok' }, durationMs: 1 } };
      },
    } as Activity<never>;
  }
}

function toolFact(toolId: string): Json {
  const parameters = { type: 'object' };
  const policy = { idempotent: true, concurrencySafe: true };
  return { toolId, version: 1, description: toolId, parameters, execution: { fnName: toolId }, policy };
}

/** The delivered end, of which there is one; the run replays. */
async function endOf({ all, setting, asked }: KilledRun): Promise<RunEnd> {
  const taken = all.filter(({ type }) => type === 'EndTaken') as readonly RecordedEvent[];
  expect(taken).toHaveLength(1);
  await setting.verify('turn', asked.runId);
  const [{ data } = { data: {} }] = taken;
  return (data as { readonly end: RunEnd }).end;
}

describe.each<Kill>(['before', 'after'])('killed %s any of its appends', (when) => {
  it('a turn with a hook, three calls of models at once, two tools and a compaction ends once, the same, or fails when the hook is interrupted; no call is made twice', async () => {
    const made = new Made();
    const story: KilledStory = {
      workflows: [inContext(turn, context)],
      input: { conversationId: 'c', text: 'x', model: 'gpt-4o-mini', tools: ['find', 'look'] },
      facts: {
        model: () =>
          ({ routes: [sampleRoute('gpt-4o-mini', { maxAttempts: 1 })], seed: 'run' }) as object as Json,
        tools: () => ['find', 'look'].map(toolFact),
      },
      activities: (pass) => [made.llm(pass), made.tool(pass), made.hook(pass)] as readonly Activity[],
      timerMs: 60_000,
    };
    const ends: RunEnd[] = [];
    const appends = await killAtEveryAppend(story, when, async (run) => {
      ends.push(await endOf(run));
      expect(new Set(made.calls).size).toBe(made.calls.length);
      made.calls.length = 0;
    });
    const toolCalls = ['find', 'look'].map((toolId) => ({ toolId, status: 'completed' }));
    const compaction = { strategy: 'auto_compact', sources: [2], summary: 'They asked.' };
    const result = { message: 'Done.', stoppedReason: 'completed', toolCalls, compaction };
    // The function before the model is not safe to repeat: the turn fails, and the conversation is unchanged.
    const interrupted = ends.filter(({ status }) => status === 'failed');
    expect(interrupted).toMatchObject([{ failure: { message: expect.stringMatching(/^prepare of s: /) } }]);
    const whole = ends.filter((end) => !interrupted.includes(end));
    expect(whole).toMatchObject(whole.map(() => ({ status: 'completed', result })));
    expect(appends).toBeGreaterThan(10);
  });
});
