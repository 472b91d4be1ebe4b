import { describe, expect, it } from '@jest/globals';
import type { Outcome } from './activity/activity.js';
import { derivedId } from '#lib/kernel';
import { call, count, plainWorkflow } from './testing/plain-workflow.js';
import { echoActivity } from './testing/echo.activity.js';
import { Ledger } from './testing/ledger.js';
import { RuntimeSetting, SWEEP_MS } from './testing/runtime-setting.js';
import { WaitsForPerson } from './waits-for-person.js';
import type { Seen, Step } from './workflow.js';

const awaiting: Step = { do: 'await', id: 'ok', signal: 'approval' };
const ended = (events: readonly Seen[]) => count(events, 'SignalReceived') > 0;
const child = (id: string, workflow: string): Step => ({ do: 'child', id, workflow, input: {} });

const errorOf = <T>(promise: Promise<T>) => promise.catch((error: unknown) => error as T);

/** An inquiry whose child has a child that waits for a person, beside a call of its own where the test says so. */
function given(perform: () => Promise<Outcome> = async () => ({ completed: {} }), isBusy = false) {
  const steps = isBusy ? [call('a'), awaiting] : [awaiting];
  const leaf = plainWorkflow((events) => (ended(events) ? [{ do: 'end', result: 'yes' }] : steps), 'leaf');
  const passing = (name: string, below: string) =>
    plainWorkflow(
      (events) => (count(events, 'ChildEnded') ? [{ do: 'end', result: 'done' }] : [child('one', below)]),
      name,
    );
  const workflows = [passing('inquiry', 'middle'), passing('middle', 'leaf'), leaf];
  const setting = new RuntimeSetting(workflows, [echoActivity(perform)]);
  const ledger = new Ledger(setting.logOf(), 'inquiry');
  const process = async () => {
    const runtime = setting.process({ owners: new Map([['inquiry', ledger]]) });
    await runtime.start();
    return runtime;
  };
  const answer = async (runId: string) => {
    const leafId = derivedId(derivedId(runId, 'one'), 'one');
    const call = { metadata: setting.metadata() };
    await setting.commands.signal(leafId, { signal: 'approval', payload: true, by: 'ann' }, call);
  };
  /** The value of a promise after this time; its error where it is rejected. */
  const after = async <T>(milliseconds: number, promise: Promise<T>) => {
    const settled = errorOf(promise);
    await setting.time.pass(milliseconds);
    return settled;
  };
  return { setting, ledger, process, answer, after };
}

describe('a caller that waits for a run', () => {
  it('is rejected when a child of a child waits for a person; the run continues with the answer', async () => {
    const { setting, ledger, process, answer, after } = given();
    const runtime = await process();
    const asked = await ledger.ask(setting.nextRunId());
    expect(await after(0, runtime.finish(asked))).toBeInstanceOf(WaitsForPerson);
    expect(await after(0, runtime.finish(asked))).toMatchObject({
      message: expect.stringMatching(/its leaf \S+ waits for the signal approval/),
    });
    await answer(asked.runId);
    await setting.time.pass(0);
    expect(await runtime.finish(asked)).toMatchObject([{ type: 'EndTaken' }]);
    await runtime.stop(0);
  });

  it('is rejected by the next sweep when another process drives the run', async () => {
    const { setting, ledger, process, after } = given();
    const [one, other] = [await process(), await process()];
    const asked = await ledger.ask(setting.nextRunId());
    const both = [one, other].map((runtime) => runtime.finish(asked));
    for (const told of await after(SWEEP_MS, Promise.all(both.map(errorOf)))) {
      expect(told).toBeInstanceOf(WaitsForPerson);
    }
    await Promise.all([one.stop(0), other.stop(0)]);
  });

  it('is kept waiting while a call is in flight beside the await', async () => {
    let answer: (outcome: Outcome) => void = () => undefined;
    const inFlight = new Promise<Outcome>((resolve) => (answer = resolve));
    const { setting, ledger, process } = given(() => inFlight, true);
    const runtime = await process();
    let isOver = false;
    const told = runtime
      .finish(await ledger.ask(setting.nextRunId()))
      .catch((error: unknown) => error)
      .finally(() => (isOver = true));
    await setting.time.pass(2 * SWEEP_MS);
    expect(isOver).toBe(false);
    answer({ completed: {} });
    await setting.time.pass(0);
    expect(await told).toBeInstanceOf(WaitsForPerson);
    await runtime.stop(0);
  });

  it('0.2-X2: is kept waiting for a cancelled run that its driver has still to end', async () => {
    const { setting, ledger, process, after } = given();
    const runtime = await process();
    const asked = await ledger.ask(setting.nextRunId());
    expect(await after(0, runtime.finish(asked))).toBeInstanceOf(WaitsForPerson);
    const stream = setting.logOf().streams.of(asked.workflow, asked.runId);
    const token = await setting.leases.acquire(stream, 'another process', 10 * SWEEP_MS);
    await setting.commands.cancel(asked.runId, undefined, { metadata: setting.metadata() });
    const told = errorOf(runtime.finish(asked));
    await setting.time.pass(2 * SWEEP_MS);
    await setting.leases.release(stream, token ?? 0);
    await setting.time.pass(SWEEP_MS);
    expect(await told).toMatchObject([{ type: 'EndTaken', data: { end: { status: 'cancelled' } } }]);
    await runtime.stop(0);
  });
});
