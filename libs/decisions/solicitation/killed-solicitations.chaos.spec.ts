import { describe, expect, it } from '@jest/globals';
import type { Activity, Outcome, RunEnd } from '#lib/workflow';
import { llmCallRules, type LlmMemory } from '#lib/call-rules';
import type { Json, JsonObject, RecordedEvent } from '#lib/kernel';
import {
  call,
  count,
  echoActivity,
  echoed,
  inContext,
  type Kill,
  killAtEveryAppend,
  type KilledRun,
  type KilledStory,
  plainWorkflow,
} from '#lib/workflow/testing';
import { solicitation } from './solicitation.workflow.js';
import { decision, httpReply, text } from './testing/scripted-replies.js';
import { type LadderStart, ladderStart } from './testing/ladder-start.js';

type Pass = (milliseconds: number) => Promise<void>;

/** The calls made, by run and step. */
class Made {
  readonly calls: string[] = [];

  /** The first model call fails with 500, the tools rung gets prose, the text rung a decision. */
  llm(pass: Pass): Activity<LlmMemory> {
    return {
      ...llmCallRules,
      preflight: () => undefined,
      perform: async ({ labels }, { runId, stepId }) => {
        this.calls.push(`${runId} ${stepId}`);
        await pass(1_000);
        return replyOn((labels as JsonObject | undefined)?.['rung'], stepId);
      },
    };
  }

  echo(pass: Pass): Activity {
    return echoActivity(async (request, { runId, stepId }) => {
      this.calls.push(`${runId} ${stepId}`);
      await pass(1_000);
      return echoed(request);
    });
  }
}

function replyOn(rung: Json | undefined, stepId: string): Outcome {
  const asked = { activity: 'llm', stepId };
  if (stepId === 'tools#1') return httpReply(500, 'overloaded')(asked);
  if (rung === 'tools') return text('I would refund it.')(asked);
  return decision({ transitionName: 'escalate', toState: 'escalated', reasoning: 'Unclear.' })(asked);
}

/** A call, then an exit. */
const worker = plainWorkflow(
  (events) =>
    count(events, 'EchoCompleted') > 0
      ? [{ do: 'end', result: { exit: 'refund', arguments: { amount: 5 }, summary: 'Late.' } }]
      : [call(`look#${count(events, 'EchoFailed') + 1}`)],
  'worker',
);

/** Plays a solicitation, killed at every append. @returns the end of each, and the number of appends */
async function killed(over: LadderStart, when: Kill) {
  const start = ladderStart(over);
  const made = new Made();
  const story: KilledStory = {
    workflows: [inContext(solicitation, start.context), worker],
    input: start.input,
    facts: Object.fromEntries(Object.entries(start.facts).map(([name, fact]) => [name, () => fact])),
    activities: (pass) => [made.llm(pass), made.echo(pass)],
    timerMs: 60_000,
  };
  const ends: RunEnd[] = [];
  const appends = await killAtEveryAppend(story, when, async (run) => {
    ends.push(await endOf(run));
    expect(new Set(made.calls).size).toBe(made.calls.length);
    made.calls.length = 0;
  });
  return { ends, appends };
}

/** The delivered end, of which there is one; the run replays. */
async function endOf({ all, setting, asked }: KilledRun): Promise<RunEnd> {
  const taken = all.filter(({ type }) => type === 'EndTaken') as readonly RecordedEvent[];
  expect(taken).toHaveLength(1);
  await setting.verify('solicitation', asked.runId);
  const [{ data } = { data: {} }] = taken;
  return (data as { readonly end: RunEnd }).end;
}

describe.each<Kill>(['before', 'after'])('killed %s any of its appends', (when) => {
  it('a proposer that is a workflow proposes the same: no call twice, one delivery, the same replay', async () => {
    const { ends, appends } = await killed({ workflow: { name: 'worker', input: {} } }, when);
    const result = { transitionName: 'refund', metaJson: { amount: 5 }, reasoning: 'Late.' };
    expect(ends).toMatchObject(ends.map(() => ({ status: 'completed', result })));
    expect(appends).toBeGreaterThan(4);
  });

  it('a ladder chooses the same: a call in flight is asked again as a call of its own', async () => {
    const { ends, appends } = await killed({ maxAttempts: 4 }, when);
    const result = { transitionName: 'escalate', reasoning: 'Unclear.', rung: 'text' };
    expect(ends).toMatchObject(ends.map(() => ({ status: 'completed', result })));
    expect(appends).toBeGreaterThan(6);
  });
});
