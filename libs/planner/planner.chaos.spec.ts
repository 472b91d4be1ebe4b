import { sampleRoute } from '#lib/call-rules/testing';
import { describe, expect, it } from '@jest/globals';
import { type Activity, ActivityRegistry, type CallContext, type Outcome } from '#lib/workflow';
import { llmCallRules, type LlmMemory, toolCallRules, type ToolRequest } from '#lib/call-rules';
import { appendOneByOne, type EventStore } from '#lib/event-store';
import { type Json, type JsonObject, jsonText } from '#lib/kernel';
import { LEASE_MS, RuntimeSetting, SWEEP_MS } from '#lib/workflow/testing';
import type { PlannerInput } from './planner.input.js';
import { planner } from './planner.workflow.js';
import { answer, ask, tool, toolOk } from './testing/planner-history.js';

const NEVER = new Promise<never>(() => undefined);
const beside = { concurrencySafe: true };
const tools = [
  tool('find', { ...beside, readOnly: true }),
  tool('charge', beside),
  tool('refund', { needsApproval: true }),
];
const input: PlannerInput = {
  systemPrompt: 'You help.',
  userPrompt: 'Help me.',
  model: 'm',
  tools: ['find', 'charge', 'refund'],
  concurrency: 2,
};

/** Three rounds: two tools at once, one with an approval, the end. The number of messages selects the model's reply. */
const replies: { readonly [messages: number]: Outcome } = {
  2: ask(['find', '{"order":1}'], ['charge', '{"order":2}']),
  5: ask(['refund', '{"order":3}']),
  7: answer('Done.'),
};

/** The point at which a process dies: before or after one of its appends is stored. */
interface Death {
  readonly append: number;
  readonly isStored: boolean;
}

class Story {
  readonly setting = new RuntimeSetting(
    [planner],
    [
      { ...llmCallRules, preflight: () => undefined, perform: () => NEVER },
      { ...toolCallRules, preflight: () => undefined, perform: () => NEVER },
    ],
  );
  /** The calls of tools that were made, by the id of the call. */
  readonly made: string[] = [];
  /** The calls of tools that are not safe to repeat. */
  readonly unsafe: string[] = [];
  appends = 0;
  isDead = false;

  async outcome(death?: Death): Promise<Json> {
    const first = this.#process(death);
    await first.start();
    const runId = this.setting.nextRunId();
    void first.startRun({
      workflow: 'planner',
      input: input as object as JsonObject,
      runId,
      metadata: this.setting.metadata(),
    });
    await this.setting.time.pass(50);
    const history = () => this.setting.history('planner', runId);
    for (let minute = 0; minute < 30; minute++) {
      if (this.isDead && minute === 0) await this.#process().start();
      await this.#answerPerson(runId);
      await this.setting.time.pass(LEASE_MS + SWEEP_MS);
      if (this.isDead && (await history()).length === 0) return 'nothing was written';
      const end = await this.setting.endOf('planner', runId);
      if (end) {
        await this.setting.verify('planner', runId);
        return end as object as Json;
      }
      if (this.isDead) await this.#process().start();
    }
    throw new Error(`The run did not end: ${jsonText((await history()).map(({ type }) => type))}`);
  }

  /** Approves each call that needs it. For an interrupted call that was made, the person enters the result. */
  async #answerPerson(runId: string): Promise<void> {
    const events = await this.setting.history('planner', runId);
    const closed = new Set(
      events.flatMap(({ type, data }) =>
        type === 'SignalReceived' ? [(data as { stepId: string }).stepId] : [],
      ),
    );
    for (const { type, data } of events) {
      const { stepId, prompt } = data as {
        stepId: string;
        prompt?: { reason: string; callId: string; arguments: { order: number } };
      };
      if (type !== 'SignalAwaited' || closed.has(stepId) || !prompt) continue;
      const wasMade = prompt.reason === 'interrupted' && this.made.includes(prompt.callId);
      const payload = wasMade ? { approved: false, result: prompt.arguments.order } : { approved: true };
      const metadata = this.setting.metadata();
      const answered = { metadata };
      await this.setting.commands.signal(
        runId,
        { signal: 'approval', by: 'ann', awaitId: stepId, payload },
        answered,
      );
    }
  }

  #process(death?: Death) {
    const process = { isDead: false };
    const live = <T>(work: Promise<T>): Promise<T> => work.then((value) => (process.isDead ? NEVER : value));
    const llm: Activity<LlmMemory> = {
      ...llmCallRules,
      preflight: () => undefined,
      perform: (_, { stepId }, memory) =>
        live(Promise.resolve(replies[memory.lists.get(stepId)?.length ?? 0] ?? answer('?'))),
    };
    const called: Activity = {
      ...toolCallRules,
      preflight: () => undefined,
      perform: (request, context) => live(this.#call(request as JsonObject & ToolRequest, context)),
    };
    return this.setting.process({
      store: this.#store(process, death),
      activities: new ActivityRegistry<Activity>([llm, called]),
      facts: {
        model: () => ({ routes: [sampleRoute()], seed: 'run' }),
        tools: () => tools as object as Json,
      },
      time: {
        now: () => this.setting.time.now(),
        monotonicMs: () => this.setting.time.monotonicMs(),
        after: (milliseconds, callback) =>
          this.setting.time.after(milliseconds, () => void (process.isDead || callback())),
      },
      leases: this.#leases(process),
    });
  }

  #call({ callId, arguments: given }: ToolRequest, _: CallContext): Promise<Outcome> {
    this.made.push(callId);
    if (given['order'] !== 1) this.unsafe.push(callId);
    return Promise.resolve(toolOk(given['order'] ?? null));
  }

  #store(process: { isDead: boolean }, death?: Death): EventStore {
    const { memory } = this.setting;
    const guarded = async <T>(work: () => Promise<T>): Promise<T> => {
      if (process.isDead) return NEVER;
      const result = await work();
      return process.isDead ? NEVER : result;
    };
    const die = () => {
      process.isDead = true;
      this.isDead = true;
      return NEVER;
    };
    const append: EventStore['append'] = (...args) =>
      guarded(async () => {
        const isLast = death && this.appends === death.append;
        this.appends += 1;
        if (isLast && !death.isStored) return die();
        const result = await memory.append(...args);
        return isLast ? die() : result;
      });
    return {
      logId: memory.logId,
      append,
      appendInOrder: (appends) =>
        appendOneByOne(appends, ({ stream, expected, events }) => append(stream, expected, events)),
      readStream: (...args) => guarded(() => memory.readStream(...args)),
      readAll: (...args) => guarded(() => memory.readAll(...args)),
      head: () => guarded(() => memory.head()),
      subscribe: (...args) => memory.subscribe(...args),
      close: () => memory.close(),
    };
  }

  #leases(process: { isDead: boolean }) {
    const { leases } = this.setting;
    const guarded = <T>(work: () => Promise<T>) => (process.isDead ? NEVER : work());
    return {
      acquire: (...args: Parameters<typeof leases.acquire>) => guarded(() => leases.acquire(...args)),
      renew: (...args: Parameters<typeof leases.renew>) => guarded(() => leases.renew(...args)),
      release: (...args: Parameters<typeof leases.release>) => guarded(() => leases.release(...args)),
      leave: (...args: Parameters<typeof leases.leave>) => guarded(() => leases.leave(...args)),
      expired: (...args: Parameters<typeof leases.expired>) => guarded(() => leases.expired(...args)),
      heldAmong: (...args: Parameters<typeof leases.heldAmong>) => guarded(() => leases.heldAmong(...args)),
    };
  }
}

describe('a planner run of three rounds, with two tools at once and one approval', () => {
  it('has the same end wherever its process dies, calls nothing unsafe twice, and replays', async () => {
    const whole = new Story();
    const end = await whole.outcome();
    expect(end).toEqual({
      status: 'completed',
      result: { rounds: 3, summary: 'Done.', stopReason: 'assistant-stop' },
    });
    expect(whole.appends).toBeGreaterThan(6);
    for (let append = 0; append < whole.appends; append++) {
      for (const isStored of [false, true]) {
        const story = new Story();
        const outcome = await story.outcome({ append, isStored });
        const where = `${append} ${isStored}`;
        const expected = append === 0 && !isStored ? 'nothing was written' : end;
        expect([where, outcome]).toEqual([where, expected]);
        expect([where, story.unsafe]).toEqual([where, [...new Set(story.unsafe)]]);
      }
    }
  });
});
