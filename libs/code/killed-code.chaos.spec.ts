import { describe, expect, it } from '@jest/globals';
import type { Activity, RunGiven } from '#lib/workflow';
import {
  functionCallRules,
  llmCallRules,
  type LlmMemory,
  type SandboxMemory,
  type SandboxResult,
  sandboxRules,
  toolCallRules,
  type ToolRequest,
  type WholeSlice,
  wholeSlice,
} from '#lib/call-rules';
import { type Json, type JsonObject, jsonText, type RecordedEvent } from '#lib/kernel';
import { sampleRoute } from '#lib/call-rules/testing';
import {
  type Kill,
  type KilledRun,
  type KilledStory,
  playKilled,
  type RuntimeSetting,
} from '#lib/workflow/testing';
import { code } from './code.workflow.js';
import { replayed, replyOf, sandbox, tool, toolOk } from './testing/code-history.js';

const beside = { concurrencySafe: true };
const tools = [
  tool('find', { ...beside, readOnly: true }),
  tool('stock', { ...beside, readOnly: true }),
  tool('charge', beside),
  tool('note'),
  tool('refund', { needsApproval: true }),
];
const programs: { readonly [stepPrefix: string]: string } = {
  'iteration-1#': `yield <Message>I look.</Message>;
const five = await Promise.all([
  find({ order: 1 }), stock({ order: 2 }), charge({ order: 3 }), note({ order: 4 }), refund({ order: 5 }),
]);
throw new Error('not yet');`,
  'iteration-2#': 'yield "Here they are."; return { action: "done", value: five };',
};

/** The results of slices that the sandbox has run, because virtual time does not wait for its threads. */
class Slices {
  readonly #results = new Map<string, SandboxResult>();
  readonly #missing = new Map<string, WholeSlice>();

  /** The result of the sandbox. Without one, the call ends with its process. */
  given(slice: WholeSlice, signal: AbortSignal): Promise<SandboxResult> {
    const key = jsonText([slice.program.code, slice.outcomes as object as Json, slice.known]);
    const known = this.#results.get(key);
    if (known) return Promise.resolve(known);
    this.#missing.set(key, slice);
    return new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(new Error('The process stops.')));
    });
  }

  /** Runs the missing slices. @returns whether there were any */
  async runMissing(): Promise<boolean> {
    const missing = [...this.#missing];
    this.#missing.clear();
    for (const [key, slice] of missing) this.#results.set(key, await sandbox.run(slice));
    return missing.length > 0;
  }
}

/** A run whose process dies at one of its appends, the calls of tools that its processes make, and the person it asks. */
class Story implements KilledStory {
  readonly workflows = [code] as const;
  readonly input = {
    instructions: 'Help.',
    model: 'm',
    tools: tools.map(({ toolId }) => toolId),
    chat: true,
    transcript: [{ role: 'user', text: 'Hi' }],
    exits: [{ name: 'done', description: 'All are known' }],
    hooks: { onBeforeTool: { fn: 'watch' }, onExit: { fn: 'watch' } },
  };
  readonly facts = {
    model: () => ({ routes: [sampleRoute('m')], seed: 'run' }) as object as Json,
    tools: () => tools as object as Json,
  };
  readonly timerMs = 20_000;
  readonly made: string[] = [];
  /** The orders of tool calls that are not safe to repeat. */
  readonly unsafe: unknown[] = [];

  constructor(private readonly slices: Slices) {}

  readonly activities: KilledStory['activities'] = (pass) => {
    const llm: Activity<LlmMemory> = {
      ...llmCallRules,
      preflight: () => undefined,
      perform: async (_, { stepId }) => {
        await pass(1_000);
        const [, program = ''] = Object.entries(programs).find(([prefix]) => stepId.startsWith(prefix)) ?? [];
        return replyOf(program);
      },
    };
    const called: Activity<never> = {
      ...(toolCallRules as Activity<never>),
      preflight: () => undefined,
      perform: async (request) => {
        const { callId, arguments: given } = request as JsonObject & ToolRequest;
        this.made.push(callId);
        if (Number(given['order']) > 2) this.unsafe.push(given['order']);
        await pass(1_000);
        return toolOk(given['order'] ?? null);
      },
    };
    const sliced: Activity<SandboxMemory> = {
      ...sandboxRules,
      preflight: () => undefined,
      perform: async (request, { signal }, memory) => {
        const result = await this.slices.given(wholeSlice(request, memory), signal);
        await pass(10);
        return { completed: { ...result, durationMs: 1 } };
      },
    };
    const asked: Activity<RunGiven> = {
      ...functionCallRules,
      preflight: () => undefined,
      perform: async () => {
        await pass(100);
        return { completed: { result: null, durationMs: 1 } };
      },
    };
    return [llm, called, sliced, asked] as readonly Activity[];
  };

  /** Approves each call that needs it. For an interrupted call that was made, the person enters the result. */
  readonly people = async (setting: RuntimeSetting, runId: string): Promise<void> => {
    const events = await setting.history('code', runId);
    for (const { type, data } of events) {
      const { stepId, prompt } = data as {
        stepId: string;
        prompt?: { reason: string; callId: string; arguments: { order: number } };
      };
      if (type !== 'SignalAwaited' || !prompt || isAnswered(events, stepId)) continue;
      const wasMade = prompt.reason === 'interrupted' && this.made.includes(prompt.callId);
      const payload = wasMade ? { approved: false, result: prompt.arguments.order } : { approved: true };
      const metadata = setting.metadata();
      const answered = { metadata };
      await setting.commands.signal(
        runId,
        { signal: 'approval', by: 'ann', awaitId: stepId, payload },
        answered,
      );
    }
  };
}

function isAnswered(events: readonly RecordedEvent[], stepId: string): boolean {
  return events.some(
    ({ type, data }) => type === 'SignalReceived' && (data as { stepId: string }).stepId === stepId,
  );
}

async function check({ all, setting, asked }: KilledRun, unsafe: readonly unknown[]): Promise<void> {
  const result = { exit: 'done', value: [1, 2, 3, 4, 5], iterations: 2 };
  const ends = all.filter(({ type }) => type === 'EndTaken').map(({ data }) => data);
  expect(ends).toMatchObject([{ end: { status: 'completed', result } }]);
  const sent = all.filter(({ type }) => type === 'MessageSent').map(({ data }) => data);
  expect(sent).toMatchObject([{ children: ['I look.'] }, { children: ['Here they are.'] }]);
  expect(unsafe.toSorted((a, b) => Number(a) - Number(b))).toEqual([3, 4, 5]);
  const history = await setting.history('code', asked.runId);
  await setting.verify('code', asked.runId);
  const computed = jsonText(history.filter(({ type }) => COMPUTED.test(type)).map(({ data }) => data));
  if (recomputed.has(computed)) return;
  recomputed.add(computed);
  const replay = await replayed(history);
  expect(replay).toEqual({ ...replay, open: false, notRecomputed: 0, divergence: undefined });
}

/** Events that hold the inputs and the result of a slice. */
const COMPUTED = /^Sandbox|^ToolCallCompleted$/;
/** The runs whose slices were computed again, because the same slices need it only once. */
const recomputed = new Set<string>();

/** Plays the story until the sandbox has run each slice that it needs. */
async function play(slices: Slices, killAt: number, when: Kill) {
  for (;;) {
    const story = new Story(slices);
    const run = await playKilled(story, killAt, when);
    if (!(await slices.runMissing())) return { run, unsafe: story.unsafe };
  }
}

describe.each<Kill>(['before', 'after'])('code, killed %s any of its appends', (when) => {
  it('L-41: with five tools at once, an approval, a thrown error, two messages and hooks, ends the same, makes no unsafe call twice, and replays', async () => {
    const slices = new Slices();
    let appends = 0;
    for (let isKilled = true; isKilled; appends++) {
      const { run, unsafe } = await play(slices, appends + 1, when);
      await check(run, unsafe);
      ({ isKilled } = run);
    }
    expect(appends).toBeGreaterThan(10);
  });
});
