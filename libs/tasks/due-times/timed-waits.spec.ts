import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '#lib/kernel';
import { waitTaskId } from '#lib/workflow';
import { askingFor, RuntimeSetting } from '#lib/workflow/testing';
import { clocksOfWait, runTask } from '../run-task.rules.js';
import { dueTimes } from './due-times.workflow.js';

const MINUTE = 60_000;
const asking = askingFor({});

/** A run that has asked, with these times. */
async function asked(times: JsonObject) {
  const setting = new RuntimeSetting([asking, dueTimes], []);
  let process = setting.process();
  await process.start();
  const runId = await setting.begin(process, 'asking', times);
  await setting.time.pass(1_000);
  const owner = { taskId: waitTaskId(runId, 'person#1'), kind: 'answer', runId, stepId: 'person#1' } as const;
  const history = () => setting.history('asking', runId);
  const clockId = async () => clocksOfWait(owner, await history()).at(-1)?.clockId ?? '';
  return {
    pass: (minutes: number) => setting.time.pass(minutes * MINUTE),
    commands: setting.commands,
    clockId,
    clocks: async () => clocksOfWait(owner, await history()),
    /** Sent while no process runs the run. */
    requestedAtStandstill: async () => {
      await process.stop(0);
      const asked = { stepId: 'person#1', by: 'olga' };
      const answer = { metadata: setting.metadata() };
      const first = await setting.commands.requestClock(runId, asked, answer);
      const repeated = await setting.commands.requestClock(runId, asked, answer);
      const second = await setting.commands.requestClock(runId, asked, { metadata: setting.metadata() });
      process = setting.process();
      await process.start();
      await setting.time.pass(1_000);
      return [first, repeated, second];
    },
    move: async (moved: { dueAt?: string; expiresAt?: string }) => {
      const stream = setting.logOf().streams.of('due_times', await clockId());
      return setting.commands.moveDue(stream, { ...moved, by: 'olga' }, { metadata: setting.metadata() });
    },
    clockStream: async () => setting.logOf().streams.of('due_times', await clockId()),
    now: () => setting.time.now().getTime(),
    answer: (person: { by: string; escalated?: object }) => {
      const input = { signal: 'answer', payload: true, by: person.by, person: person as { by: string } };
      return setting.commands.signal(runId, input, { metadata: setting.metadata() });
    },
    metadata: () => setting.metadata(),
    told: async () => {
      const types = await setting.typesOf('due_times', await clockId());
      return types.filter((type) => type.startsWith('Task'));
    },
    task: async () => runTask(owner, await history()),
    end: () => setting.endOf('asking', runId),
    clockEnd: async () => setting.endOf('due_times', await clockId()),
    stop: async () => {
      await setting.verify('asking', runId);
      if (await clockId()) await setting.verify('due_times', await clockId());
      await process.stop(0);
    },
  };
}

const times = {
  people: ['ann'],
  dueIn: 'PT4M',
  remindBefore: ['PT1M'],
  escalations: [{ in: 'PT5M', people: ['eve'] }],
  expireIn: 'PT8M',
};

describe('a question with times', () => {
  it('reminds, is due, escalates, and expires once: the step fails', async () => {
    const { pass, told, task, end, answer, stop } = await asked(times);
    await pass(7);
    expect(await told()).toEqual(['TaskReminded', 'TaskOverdue', 'TaskEscalated']);
    expect(await task()).toMatchObject({ status: 'open' });
    await pass(2);
    expect(await task()).toMatchObject({ status: 'expired' });
    expect(await end()).toMatchObject({ status: 'failed', failure: { kind: 'expired' } });
    expect(await answer({ by: 'ann' })).toMatchObject({ code: 'not-awaited' });
    await stop();
  });

  it('is over with the payload of its expiry', async () => {
    const { pass, end, stop } = await asked({ ...times, onExpiry: { payload: 'no' } });
    await pass(9);
    expect(await end()).toMatchObject({ status: 'completed', result: { payload: 'no', by: 'timer' } });
    await stop();
  });

  it('that is answered ends its clock', async () => {
    const { pass, told, answer, end, clockEnd, stop } = await asked(times);
    expect(await answer({ by: 'ann' })).toMatchObject({ position: expect.any(String) });
    await pass(9);
    expect(await end()).toMatchObject({ status: 'completed', result: { payload: true, by: 'ann' } });
    expect(await clockEnd()).toMatchObject({ status: 'cancelled' });
    expect(await told()).toEqual([]);
    await stop();
  });

  it('expires at the instant to which it was moved', async () => {
    const { pass, commands, clockStream, now, end, metadata, stop } = await asked({
      expireIn: 'PT2M',
      dueIn: 'PT1M',
    });
    const expiresAt = new Date(now() + 20 * MINUTE).toISOString();
    const moved = { expiresAt, by: 'operator' };
    expect(await commands.moveDue(await clockStream(), moved, { metadata: metadata() })).toMatchObject({
      position: expect.any(String),
    });
    await pass(19);
    expect(await end()).toBeUndefined();
    await pass(2);
    expect(await end()).toMatchObject({ status: 'failed' });
    await stop();
  });

  it('goes on without times once its clock has failed', async () => {
    const { pass, commands, clockId, answer, task, end, metadata, stop } = await asked(times);
    await commands.cancel(await clockId(), undefined, { metadata: metadata() });
    await pass(10);
    expect(await task()).toMatchObject({ status: 'open' });
    await answer({ by: 'ann' });
    await pass(1);
    expect(await end()).toMatchObject({ status: 'completed' });
    await stop();
  });

  it('without times gets one clock when it is asked for, is due by it, and expires by it', async () => {
    const { requestedAtStandstill, clocks, move, now, pass, told, task, end, stop } = await asked({});
    const [first, repeated, second] = await requestedAtStandstill();
    expect(first).toEqual({ position: expect.any(String) });
    expect([repeated, second]).toEqual([first, { position: undefined }]);
    expect(await clocks()).toMatchObject([{ hasFailed: false }]);
    const at = (minutes: number) => new Date(now() + minutes * MINUTE).toISOString();
    await move({ dueAt: at(2), expiresAt: at(4) });
    await pass(3);
    expect([await told(), await task()]).toMatchObject([['TaskOverdue'], { status: 'open' }]);
    await pass(2);
    expect(await task()).toMatchObject({ status: 'expired' });
    expect(await end()).toMatchObject({ status: 'failed', failure: { kind: 'expired' } });
    await stop();
  });

  it.each([
    ['when it would have', undefined, 5],
    ['at the instant to which it is moved', 9, 9],
  ])('whose time-out a clock takes over expires %s', async (_, movedTo, expires) => {
    const { requestedAtStandstill, move, now, pass, end, stop } = await asked({ expireIn: 'PT5M' });
    await requestedAtStandstill();
    if (movedTo) await move({ expiresAt: new Date(now() + movedTo * MINUTE).toISOString() });
    await pass(expires - 1);
    expect(await end()).toBeUndefined();
    await pass(2);
    expect(await end()).toMatchObject({ status: 'failed', failure: { kind: 'expired' } });
    await stop();
  });

  it('whose clock has failed gets another one, which reminds of nothing and escalates to nobody', async () => {
    const { commands, clockId, requestedAtStandstill, clocks, move, now, pass, told, end, metadata, stop } =
      await asked(times);
    await commands.cancel(await clockId(), undefined, { metadata: metadata() });
    await pass(1);
    await requestedAtStandstill();
    expect(await clocks()).toMatchObject([{ hasFailed: true }, { hasFailed: false }]);
    await pass(20);
    expect([await told(), await end()]).toEqual([[], undefined]);
    await move({ expiresAt: new Date(now() + MINUTE).toISOString() });
    await pass(2);
    expect(await end()).toMatchObject({ status: 'failed', failure: { kind: 'expired' } });
    await stop();
  });

  it('that is answered takes no clock', async () => {
    const { answer, requestedAtStandstill, clocks, pass, stop } = await asked({});
    await answer({ by: 'ann' });
    await pass(1);
    const refused = expect.objectContaining({ code: 'not-awaited' }) as object;
    expect(await requestedAtStandstill()).toEqual([refused, refused, refused]);
    expect(await clocks()).toEqual([]);
    await stop();
  });

  it.each([
    ['remindBefore', { remindBefore: ['PT1M'] }],
    ['dueIn', { dueIn: 'tomorrow' }],
    ['escalations/0', { escalations: [{ in: 'PT1M' }] }],
    ['onExpiry', { onExpiry: { payload: 1 } }],
    [
      'onExpiry/payload/yes of a question must be of type boolean',
      {
        schema: { type: 'object', properties: { yes: { type: 'boolean' } } },
        expireIn: 'PT1M',
        onExpiry: { payload: { yes: 3 } },
      },
    ],
    ['exclude', { exclude: ['proposers'] }],
    ['title', { title: null }],
    ['schema/type', { schema: { type: 'bolean' } }],
    ['approvals', { approvals: 0 }],
    ['groups/0', { groups: ['the buyers'] }],
  ])('that cannot be asked fails, and the run replays identical: %s', async (path, bad) => {
    const { end, stop } = await asked(bad);
    expect(await end()).toMatchObject({ status: 'failed', failure: { kind: 'invalid-question' } });
    expect(JSON.stringify(await end())).toContain(path);
    await stop();
  });
});
