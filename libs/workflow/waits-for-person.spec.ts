import { describe, expect, it } from '@jest/globals';
import type { Outcome } from './activity/activity.js';
import { derivedId } from '#lib/kernel';
import { clockStepOf } from './people-wait.rules.js';
import { DUE_MOVED, DUE_TIMES } from './run.decider.js';
import { foldRun } from './run.rules.js';
import { call, count, plainWorkflow } from './testing/plain-workflow.js';
import { echoActivity } from './testing/echo.activity.js';
import { Ledger } from './testing/ledger.js';
import { RunHistory } from './testing/run-history.js';
import { RuntimeSetting, SWEEP_MS } from './testing/runtime-setting.js';
import { personAwaited, WaitsForPerson } from './waits-for-person.js';
import type { Seen, Step } from './workflow.js';

const awaiting: Step = { do: 'await', id: 'ok', signal: 'approval' };
const ended = (events: readonly Seen[]) => count(events, 'SignalReceived') > 0;
const child = (id: string, workflow: string): Step => ({ do: 'child', id, workflow, input: {} });

const errorOf = <T>(promise: Promise<T>) => promise.catch((error: unknown) => error as T);

/** An inquiry whose child has a child that waits for a person. With `isBusy`, that child also has an open call. */
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
  /** The value of a promise after this time, or its error. */
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

describe('a run whose wait has a clock', () => {
  const clockStep = clockStepOf('ok');
  const moved: Step = { do: 'await', id: 'moved', signal: DUE_MOVED };
  const clock = plainWorkflow(() => [moved, { do: 'timer', id: 'time', afterMs: 60_000 }], DUE_TIMES);
  const asking = plainWorkflow((events) => {
    const isOver = ended(events) || count(events, 'ChildEnded') > 0;
    return isOver ? [{ do: 'end', result: null }] : [awaiting, child(clockStep, DUE_TIMES)];
  });

  /** The await of the run up to its last event of this type, while its clock runs. */
  function awaitedAfter(history: RunHistory, type: string) {
    const { events, run } = history;
    const until = events.findLastIndex((event) => event.type === type) + 1;
    const known = foldRun(run.rules, run.activities, events.slice(0, until));
    return personAwaited(known, async () => RunHistory.of(clock, { input: {} }).run);
  }
  const asked = () => RunHistory.of(asking, { input: {} });

  it('waits for the person, and not for the move of its times', async () => {
    expect(await awaitedAfter(asked(), 'ChildStarted')).toMatchObject({
      message: expect.stringContaining('waits for the signal approval'),
    });
  });

  it('waits for no person once it is answered: its driver has still to end the clock', async () => {
    expect(await awaitedAfter(asked().signal('ok', true), 'SignalReceived')).toBeUndefined();
  });

  it('waits for no person once its clock has ended the wait: nobody can answer it', async () => {
    const expired = asked().endChild(clockStep, { status: 'completed', result: {} });
    expect(await awaitedAfter(expired, 'ChildEnded')).toBeUndefined();
  });
});
