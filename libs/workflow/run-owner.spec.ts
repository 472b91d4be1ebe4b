import { describe, expect, it } from '@jest/globals';
import type { Activity } from './activity/activity.js';
import { StoreUnavailable } from '#lib/event-store';
import { changedStore } from '#lib/event-store/testing';
import { reject } from '#lib/kernel';
import { RuntimeStopped } from './driver-failures.js';
import type { WorkflowRuntime } from './runtime.js';
import type { RunIndex } from './run-index.js';
import { call, count, plainWorkflow } from './testing/plain-workflow.js';
import { echoActivity, type Perform } from './testing/echo.activity.js';
import { Ledger } from './testing/ledger.js';
import { LEASE_MS, RuntimeSetting, SWEEP_MS } from './testing/runtime-setting.js';
import { LogRunIndex } from './testing/log-run-index.js';

const inquiry = plainWorkflow(
  (events) => (count(events, 'EchoCompleted') ? [{ do: 'end', result: 'done' }] : [call('a')]),
  'inquiry',
);

/** A capability that asks for inquiries, and processes that share its log. */
function given(perform?: Perform, preflight: Activity['preflight'] = () => undefined) {
  const setting = new RuntimeSetting([inquiry, survey], [{ ...echoActivity(perform), preflight }]);
  const ledger = new Ledger(setting.logOf(), 'inquiry');
  const log = new LogRunIndex(setting.logOf(), setting.activities, setting.time);
  const index: RunIndex = {
    toWake: (before, after, limit) => log.toWake(before, after, limit),
    toBegin: async (after) => (after === '' ? ledger.open() : []),
  };
  const owners = new Map([['inquiry', ledger]]);
  const process = async (
    changes: Parameters<RuntimeSetting['process']>[0] = {},
  ): Promise<WorkflowRuntime> => {
    const runtime = setting.process({ owners, index, ...changes });
    await runtime.start();
    return runtime;
  };
  const taken = async () => (await setting.logOf().readStream(ledger.stream)).map(({ type }) => type);
  return { setting, ledger, process, taken };
}

/** A run without an owner, with an inquiry as its child. */
const survey = plainWorkflow(
  (events) =>
    count(events, 'ChildEnded')
      ? [{ do: 'end', result: 'asked' }]
      : [{ do: 'child', id: 'one', workflow: 'inquiry', input: {} }],
  'survey',
);

const refusal = reject('refused', 'configuration', {
  errorClass: 'Configuration',
  what: 'the echo',
  why: 'it has no key',
  fix: 'Give it one',
});
const DELIVERED = [{ type: 'EndTaken', data: { end: { status: 'completed', result: 'done' } } }];

describe('a run that a capability asks for', () => {
  it('is started, driven and delivered; a later caller gets the same end', async () => {
    const { setting, ledger, process, taken } = given();
    const runtime = await process();
    const asked = await ledger.ask(setting.nextRunId());
    const events = runtime.finish(asked);
    await setting.time.pass(0);
    expect(await events).toMatchObject(DELIVERED);
    expect(await runtime.finish(asked)).toEqual(await events);
    expect(await taken()).toEqual(['RunAsked', 'EndTaken']);
    await setting.verify('inquiry', asked.runId);
    await runtime.stop(0);
  });

  it('is driven once, however many wait for it, here or in another process', async () => {
    const calls: unknown[] = [];
    const { setting, ledger, process, taken } = given(async (request) => {
      calls.push(request);
      return { completed: {} };
    });
    const [one, other] = [await process(), await process()];
    const asked = await ledger.ask(setting.nextRunId());
    const answers = Promise.all([one.finish(asked), one.finish(asked), other.finish(asked)]);
    await setting.time.pass(SWEEP_MS);
    expect(await answers).toMatchObject([DELIVERED, DELIVERED, DELIVERED]);
    expect(calls).toHaveLength(1);
    expect(await taken()).toEqual(['RunAsked', 'EndTaken']);
    await Promise.all([one.stop(0), other.stop(0)]);
  });

  it('is begun by the next sweep when the process ended after it had asked', async () => {
    const { setting, ledger, process, taken } = given();
    await ledger.ask(setting.nextRunId());
    const runtime = await process();
    await setting.time.pass(SWEEP_MS);
    expect(await taken()).toEqual(['RunAsked', 'EndTaken']);
    await runtime.stop(0);
  });

  it('is delivered when the process ended before the owner had taken in the end', async () => {
    const { setting, ledger, process, taken } = given();
    const ended = await process({ owners: new Map() });
    const asked = await ledger.ask(setting.nextRunId());
    const wanted = ledger.find(asked, await setting.logOf().load(ledger.stream));
    if (wanted && 'request' in wanted) await ended.startRun(wanted.request);
    await setting.time.pass(0);
    await ended.stop(0);
    expect(await setting.endOf('inquiry', asked.runId)).toMatchObject({ status: 'completed' });
    expect(await taken()).toEqual(['RunAsked']);
    const runtime = await process();
    const events = runtime.finish(asked);
    await setting.time.pass(LEASE_MS + SWEEP_MS);
    expect(await events).toMatchObject(DELIVERED);
    await runtime.stop(0);
  });

  it('rejects its waiters when this process cannot continue it, and is tried again at the next call', async () => {
    let isReady = false;
    const { setting, ledger, process } = given(undefined, () => (isReady ? undefined : refusal));
    const runtime = await process();
    const asked = await ledger.ask(setting.nextRunId());
    const refused = runtime.finish(asked);
    refused.catch(() => undefined);
    await setting.time.pass(0);
    await expect(refused).rejects.toThrow(/CannotPerform/);
    isReady = true;
    const events = runtime.finish(asked);
    await setting.time.pass(0);
    expect(await events).toMatchObject(DELIVERED);
    await runtime.stop(0);
  });

  it('rejects its waiters while the store is away, also those that come later, and continues with the store', async () => {
    const { setting, ledger, process } = given();
    let isAway = true;
    // The outcome, the end and its delivery are appended together.
    const store = changedStore(setting.memory, {
      appendInOrder: async (appends) => {
        if (isAway) throw new StoreUnavailable('the log', 'it is away', 'Wait');
        return setting.memory.appendInOrder(appends);
      },
    });
    const runtime = await process({ store });
    const asked = await ledger.ask(setting.nextRunId());
    for (let n = 0; n < 2; n++) {
      const refused = runtime.finish(asked);
      refused.catch(() => undefined);
      await setting.time.pass(2_000);
      expect(runtime.driven).toHaveLength(1);
      await expect(refused).rejects.toThrow(StoreUnavailable);
    }
    isAway = false;
    const events = runtime.finish(asked);
    await setting.time.pass(1_000);
    expect(await events).toMatchObject(DELIVERED);
    await runtime.stop(0);
  });

  it('rejects its waiters when the process stops', async () => {
    const { setting, ledger, process } = given(() => new Promise(() => undefined));
    const runtime = await process();
    const waiting = runtime.finish(await ledger.ask(setting.nextRunId()));
    waiting.catch(() => undefined);
    await setting.time.pass(0);
    const stopping = runtime.stop(0);
    await setting.time.pass(60_000);
    await stopping;
    await expect(waiting).rejects.toThrow(RuntimeStopped);
    const late = runtime.finish(await ledger.ask(setting.nextRunId()));
    await expect(late).rejects.toThrow(RuntimeStopped);
  });
});

describe('a run that nobody owns', () => {
  const nameOf = (runId: string) => ({ workflow: 'survey', runId });

  it('is waited for by its end, in the process that drives it and in another one', async () => {
    const { setting, process } = given(async () => {
      await new Promise<void>((resolve) => void setting.time.after(1_000, resolve));
      return { completed: {} };
    });
    const [one, other] = [await process(), await process()];
    const name = nameOf(await setting.begin(one, 'survey'));
    const ends = Promise.all([one.ended(name), other.ended(name)]);
    await setting.time.pass(SWEEP_MS);
    await ends;
    expect(await setting.endOf('survey', name.runId)).toMatchObject({ status: 'completed' });
    await one.ended(name);
    await Promise.all([one.stop(0), other.stop(0)]);
  });

  it('rejects waiters, also later ones, when a child cannot continue; the child is tried again each time', async () => {
    let isReady = false;
    const { setting, process } = given(undefined, () => (isReady ? undefined : refusal));
    const runtime = await process();
    const name = nameOf(await setting.begin(runtime, 'survey'));
    for (let n = 0; n < 2; n++) {
      const refused = runtime.ended(name);
      refused.catch(() => undefined);
      await setting.time.pass(0);
      await expect(refused).rejects.toThrow(/CannotPerform/);
    }
    isReady = true;
    const ended = runtime.ended(name);
    await setting.time.pass(0);
    await ended;
    await runtime.stop(0);
  });

  it('is refused when the process does not know it', async () => {
    const { setting, process } = given();
    const runtime = await process();
    await expect(runtime.ended(nameOf(setting.nextRunId()))).rejects.toThrow(/CannotPerform/);
    await runtime.stop(0);
  });
});
