import { describe, expect, it } from '@jest/globals';
import { StoreUnavailable } from '#lib/event-store';
import { changedStore } from '#lib/event-store/testing';
import type { JsonObject } from '#lib/kernel';
import { call, count, plainWorkflow } from './testing/plain-workflow.js';
import { echoActivity, echoed } from './testing/echo.activity.js';
import { LEASE_MS, RuntimeSetting, SWEEP_MS } from './testing/runtime-setting.js';
import { purchase } from './testing/purchase.workflow.js';
import type { Seen, Step } from './workflow.js';
import { gate } from '#lib/kernel/testing';

/** Calls again after an interruption, at most once. */
const retrying = plainWorkflow((events) => {
  if (count(events, 'EchoCompleted') > 0) return [{ do: 'end', result: 'done' }];
  return count(events, 'EchoFailed') > 0 ? [call('a#2')] : [call('a#1')];
});

describe('X-C1 an outcome', () => {
  it('is recorded under its own id, even after appends while the call is in flight', async () => {
    const { opened, open } = gate();
    const activity = echoActivity(async (request) => {
      await opened;
      return echoed(request);
    });
    const next = (events: readonly Seen[]): readonly Step[] =>
      count(events, 'EchoCompleted') && count(events, 'SignalReceived')
        ? [{ do: 'end', result: 'done' }]
        : [call('a'), { do: 'await', id: 's', signal: 'go' }];
    const setting = new RuntimeSetting([plainWorkflow(next)], [activity]);
    const store = changedStore(setting.memory, {
      append: async (stream, expected, events) => {
        // Just before the outcome is appended a signal comes.
        if (events[0]?.type === 'EchoCompleted' && (await setting.typesOf('plain', runId)).length === 3) {
          const answer = { metadata: setting.metadata() };
          await setting.commands.signal(runId, { signal: 'go', payload: 1, by: 'ann' }, answer);
        }
        return setting.memory.append(stream, expected, events);
      },
    });
    const runtime = setting.process({ store });
    const runId = await setting.begin(runtime, 'plain');
    await setting.time.pass(0);
    open();
    await setting.time.pass(0);
    expect((await setting.typesOf('plain', runId)).slice(3)).toEqual([
      'SignalReceived',
      'EchoCompleted',
      'WorkflowEnded',
    ]);
    await setting.verify('plain', runId);
    await runtime.stop(0);
  });

  it('X-S2: that the log cannot hold fails its call, and the run continues', async () => {
    const members = ['a', 'b', 'c', 'd', 'e'].map((name) => [name, 'x'.repeat(255 * 1024)]);
    const completed = Object.fromEntries(members) as JsonObject;
    const activity = echoActivity(async () => ({ completed }));
    const next = (events: readonly Seen[]): readonly Step[] =>
      count(events, 'EchoFailed') ? [{ do: 'end', result: 'without it' }] : [call('a')];
    const setting = new RuntimeSetting([plainWorkflow(next)], [activity]);
    const runtime = setting.process();
    const runId = await setting.begin(runtime, 'plain');
    await setting.time.pass(0);
    const [, , outcome] = await setting.history('plain', runId);
    expect(outcome?.type).toBe('EchoFailed');
    expect(outcome?.data).toMatchObject({ failure: { kind: 'too-large' } });
    expect(await setting.endOf('plain', runId)).toMatchObject({ result: 'without it' });
    await setting.verify('plain', runId);
    await runtime.stop(0);
  });

  it('is discarded, with a warning, when another process has closed its call', async () => {
    const { opened, open } = gate();
    const slow = echoActivity(async (request) => {
      await opened;
      return echoed(request);
    });
    const setting = new RuntimeSetting([retrying], [slow]);
    const silent = setting.process({
      holder: { leases: setting.leases, owner: 'silent', ttlMs: 1_000, time: setting.time },
    });
    setting.leases.renew = async () => true;
    const runId = await setting.begin(silent, 'plain');
    await setting.time.pass(LEASE_MS);
    const other = setting.process();
    await other.start();
    await setting.time.pass(SWEEP_MS);
    expect(await setting.typesOf('plain', runId)).toEqual([
      'WorkflowStarted',
      'EchoRequested',
      'EchoFailed',
      'EchoRequested',
    ]);
    open();
    await setting.time.pass(LEASE_MS);
    // The silent process may make the call a#2, too: the second of its outcomes is discarded.
    const [first, ...others] = setting.discarded;
    expect(first).toMatchObject({ type: 'EchoCompleted', data: { stepId: 'a#1' } });
    for (const { data } of others) expect(data).toMatchObject({ stepId: 'a#2' });
    expect(await setting.endOf('plain', runId)).toBeDefined();
    await setting.verify('plain', runId);
    await Promise.all([silent.stop(0), other.stop(0)]);
  });
});

describe('a call', () => {
  it('is not started after a stall that was longer than the lease', async () => {
    const { opened, open } = gate();
    const made: string[] = [];
    const activityOf = (process: string) =>
      echoActivity(async (request, { stepId }) => {
        made.push(`${process} ${stepId}`);
        return echoed(request);
      });
    const setting = new RuntimeSetting([retrying], [activityOf('other')]);
    const stalling = changedStore(setting.memory, {
      append: async (stream, expected, events) => {
        const appended = await setting.memory.append(stream, expected, events);
        if (events.some(({ type }) => type === 'EchoRequested')) await opened;
        return appended;
      },
    });
    // Its renewals hang as well, because the whole process is stopped.
    const held = {
      ...bound(setting),
      renew: async (...args: Parameters<typeof setting.leases.renew>) => {
        await opened;
        return setting.leases.renew(...args);
      },
    };
    const stalled = setting.process({ store: stalling, leases: held });
    const runId = await setting.begin(stalled, 'plain');
    await setting.time.pass(LEASE_MS);
    const other = setting.process();
    await other.start();
    await setting.time.pass(SWEEP_MS);
    open();
    await setting.time.pass(LEASE_MS);
    expect(made).toEqual(['other a#2']);
    await setting.verify('plain', runId);
    await Promise.all([stalled.stop(0), other.stop(0)]);
  });

  it('is made once when the answer of the append of its request was lost', async () => {
    let made = 0;
    const activity = echoActivity(async (request) => {
      made++;
      return echoed(request);
    });
    const setting = new RuntimeSetting([purchase], [activity]);
    let lost = 0;
    const store = changedStore(setting.memory, {
      append: async (stream, expected, events) => {
        const appended = await setting.memory.append(stream, expected, events);
        if (events[0]?.type === 'EchoRequested' && lost++ === 0)
          throw new StoreUnavailable('the log', 'the answer was lost', 'Wait');
        return appended;
      },
    });
    const runtime = setting.process({ store });
    const runId = await setting.begin(runtime, 'purchase', { item: 'chair' });
    await setting.time.pass(1_000);
    expect([made, lost]).toEqual([1, 1]);
    expect((await setting.typesOf('purchase', runId)).at(-1)).toBe('SignalAwaited');
    await runtime.stop(0);
  });

  it('that was in flight at a stop is aborted after the grace, recorded as interrupted, and made again by the next process', async () => {
    const setting = new RuntimeSetting([retrying], [echoActivity()]);
    const never = echoActivity(
      (_, { signal }) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () =>
            resolve({
              failed: { failure: { kind: 'interrupted', message: '', retryable: true, durationMs: 1 } },
            }),
          );
        }),
    );
    const first = new RuntimeSetting([retrying], [never]);
    const stopping = setting.process({ activities: first.activities });
    const runId = await setting.begin(stopping, 'plain');
    await setting.time.pass(0);
    const stopped = stopping.stop(1_000);
    await setting.time.pass(1_000);
    await stopped;
    expect((await setting.typesOf('plain', runId)).at(-1)).toBe('EchoFailed');
    const next = setting.process();
    await next.start();
    await setting.time.pass(SWEEP_MS);
    expect(await setting.endOf('plain', runId)).toBeDefined();
    await next.stop(0);
  });
});

function bound({ leases }: RuntimeSetting) {
  return {
    acquire: leases.acquire.bind(leases),
    renew: leases.renew.bind(leases),
    release: leases.release.bind(leases),
    leave: leases.leave.bind(leases),
    expired: leases.expired.bind(leases),
    heldAmong: leases.heldAmong.bind(leases),
  };
}
