import { describe, expect, it, jest } from '@jest/globals';
import type { StoredEvent } from '#lib/event-store';
import { changedStore } from '#lib/event-store/testing';
import type { Json } from '#lib/kernel';
import type { WorkflowRuntime } from './runtime.js';
import { call, count, plainWorkflow } from './testing/plain-workflow.js';
import { echoActivity, echoed } from './testing/echo.activity.js';
import { LEASE_MS, RuntimeSetting, SWEEP_MS } from './testing/runtime-setting.js';

/** Ends with the data of the call's outcome, unchecked. */
const trusting = plainWorkflow((events) => {
  if (count(events, 'EchoCompleted') + count(events, 'EchoFailed') === 0) return [call('a')];
  if (count(events, 'SignalReceived') === 0) return [{ do: 'await', id: 'b', signal: 'go' }];
  return [{ do: 'end', result: 'done' }];
}, 'trusting');

type Change = (event: StoredEvent) => StoredEvent;
const emptied =
  (type: string): Change =>
  (event) =>
    event.type === type ? { ...event, data: '{}' } : event;

async function stop(setting: RuntimeSetting, process: WorkflowRuntime): Promise<void> {
  const stopped = process.stop(0);
  await setting.time.pass(SWEEP_MS);
  await stopped;
}

/** A run that waits for a signal, and whose process has stopped. */
async function leftRun() {
  const made: Json[] = [];
  const setting = new RuntimeSetting(
    [trusting],
    [
      echoActivity(async (request) => {
        made.push(request);
        return echoed(request);
      }),
    ],
  );
  const first = setting.process();
  const runId = await setting.begin(first, 'trusting');
  await setting.time.pass(0);
  await stop(setting, first);
  const stream = setting.logOf().streams.of('trusting', runId);
  const go = () =>
    setting.commands.signal(
      runId,
      { signal: 'go', payload: null, by: 'ann' },
      { eventId: setting.nextRunId(), metadata: setting.metadata() },
    );
  /** A process that reads the stream with changed events. */
  const processOn = (change: Change) => {
    const store = changedStore(setting.memory, {
      readStream: async (...args) => (await setting.memory.readStream(...args)).map(change),
    });
    return setting.process({ store, log: setting.logOf(store) });
  };
  return { setting, runId, stream, made, go, processOn };
}

describe('0.2-O7: a run that a process takes over', () => {
  it.each(['EchoRequested', 'EchoCompleted', 'SignalAwaited', 'WorkflowStarted'])(
    'is set aside when its %s is damaged: nothing is appended, no call is made',
    async (type) => {
      const { setting, runId, stream, made, go, processOn } = await leftRun();
      await go();
      const [before, calls] = [await setting.history('trusting', runId), made.length];
      const process = processOn(emptied(type));
      await process.start();
      await setting.time.pass(SWEEP_MS - 1);
      expect(process.setAside).toMatchObject([{ name: stream, attempts: 1 }]);
      expect(await setting.history('trusting', runId)).toEqual(before);
      expect(made).toHaveLength(calls);
      await stop(setting, process);
    },
  );

  it('says which event is not what belongs there, and continues once the record is whole again', async () => {
    const { setting, runId, go, processOn, stream } = await leftRun();
    await go();
    const process = processOn(emptied('EchoRequested'));
    await process.start();
    await setting.time.pass(0);
    expect(process.setAside[0]?.failure).toMatch(
      /^\[DamagedRun\] run redial_trusting-.*: EchoRequested at revision 1 is not the event that belongs there: it differs at \/data/,
    );
    await stop(setting, process);
    const later = setting.process();
    await later.retry(stream);
    expect(await setting.endOf('trusting', runId)).toMatchObject({ result: 'done' });
    await stop(setting, later);
  });

  it('is not set aside while another process drives it', async () => {
    const { setting, stream, go, processOn } = await leftRun();
    await go();
    const token = await setting.leases.acquire(stream, 'another process', 2 * LEASE_MS);
    const process = processOn(emptied('EchoRequested'));
    await process.start();
    await setting.time.pass(LEASE_MS);
    expect(process.setAside).toEqual([]);
    await setting.leases.release(stream, token ?? 0);
    await setting.time.pass(SWEEP_MS);
    expect(process.setAside).toHaveLength(1);
    await stop(setting, process);
  });

  it('is given up with its damaged record, and its end is delivered', async () => {
    const { setting, runId, stream, go, processOn } = await leftRun();
    await go();
    const process = processOn(emptied('EchoRequested'));
    await process.start();
    await setting.time.pass(0);
    const answer = { eventId: setting.nextRunId(), metadata: setting.metadata() };
    await setting.commands.giveUp(stream, {}, answer);
    await setting.time.pass(0);
    expect(process.setAside).toEqual([]);
    expect((await setting.typesOf('trusting', runId)).at(-1)).toBe('WorkflowGivenUp');
    await stop(setting, process);
  });

  it('is verified once: the process that has parked it reads it on without that', async () => {
    const { setting, runId, go } = await leftRun();
    let asked = 0;
    const rules = trusting.versions[1] as (typeof trusting.versions)[number];
    const counting = {
      ...trusting,
      versions: {
        1: {
          ...rules,
          next: (state: Parameters<typeof rules.next>[0]) => {
            asked++;
            return rules.next(state);
          },
        },
      },
    };
    const { workflows } = new RuntimeSetting([counting], []);
    const process = setting.process({ workflows });
    await process.start();
    await setting.time.pass(0);
    const other = await setting.begin(process, 'trusting');
    await setting.time.pass(0);
    asked = 0;
    await go();
    await setting.time.pass(0);
    const takenOver = asked;
    asked = 0;
    await setting.commands.signal(
      other,
      { signal: 'go', payload: null, by: 'ann' },
      { eventId: setting.nextRunId(), metadata: setting.metadata() },
    );
    await setting.time.pass(0);
    expect(await setting.endOf('trusting', runId)).toBeDefined();
    expect(await setting.endOf('trusting', other)).toBeDefined();
    expect(asked).toBeLessThan(takenOver);
    await stop(setting, process);
  });

  it('is left alone by a process that reads late what it has written itself, whether the run waits or has ended', async () => {
    const { setting, go } = await leftRun();
    await go();
    let caughtUp = () => undefined as void;
    const behind = new Promise<void>((resolve) => (caughtUp = resolve));
    let reads = 0;
    const store = changedStore(setting.memory, {
      readStream: (...args) => {
        reads++;
        return setting.memory.readStream(...args);
      },
      async *subscribe() {
        await behind;
        for (const event of await setting.memory.readAll({ limit: 1_000 })) yield [event];
      },
    });
    const process = setting.process({ store, log: setting.logOf(store) });
    await process.start();
    await setting.begin(process, 'trusting');
    await setting.time.pass(0);
    const leased = jest.spyOn(setting.leases, 'acquire');
    reads = 0;
    caughtUp();
    await setting.time.pass(0);
    expect([reads, leased.mock.calls]).toEqual([0, []]);
    await stop(setting, process);
  });
});
