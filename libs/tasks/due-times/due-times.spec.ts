import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '#lib/kernel';
import { RuntimeSetting } from '#lib/workflow/testing';
import { dueTimes } from './due-times.workflow.js';

const TASK = '3c1a2b7e-0000-4000-8000-000000000002';
const HOUR = 3_600_000;

/** A process with one clock that began now. */
async function clock(times: JsonObject, after?: JsonObject[]) {
  const setting = new RuntimeSetting([dueTimes], []);
  const since = setting.time.now().toISOString();
  let process = setting.process();
  await process.start();
  const input = { since, taskId: TASK, times, ...(after && { after }) } as JsonObject;
  const runId = await setting.begin(process, 'due_times', input);
  const stream = setting.logOf().streams.of('due_times', runId);
  const told = async () =>
    (await setting.history('due_times', runId))
      .filter(({ type }) => type.startsWith('Task'))
      .map(({ type, occurredAt }) => [type, (Date.parse(occurredAt) - Date.parse(since)) / HOUR]);
  return {
    setting,
    told,
    since,
    runId,
    pass: (hours: number) => setting.time.pass(hours * HOUR),
    stop: () => process.stop(0),
    restart: async () => {
      process = setting.process();
      await process.start();
      await setting.time.pass(1_000);
    },
    move: async (moved: { dueAt?: string; expiresAt?: string }) => {
      const metadata = setting.metadata();
      const answered = await setting.commands.moveDue(stream, { ...moved, by: 'ann' }, { metadata });
      await setting.time.pass(1_000);
      return answered;
    },
    end: () => setting.endOf('due_times', runId),
    at: (hours: number) => new Date(Date.parse(since) + hours * HOUR).toISOString(),
  };
}

const all = {
  dueIn: 'PT4H',
  remindBefore: ['PT1H', 'PT2H'],
  escalations: [
    { in: 'PT5H', groups: ['leads'] },
    { in: 'PT6H', people: ['eve'], keep: false },
  ],
  expireIn: 'PT8H',
};

describe('a clock', () => {
  it('reminds before it is due, is due, escalates and expires: each once and in order', async () => {
    const { pass, told, end, setting, runId, stop } = await clock(all);
    await pass(9);
    expect(await told()).toEqual([
      ['TaskReminded', 2],
      ['TaskReminded', 3],
      ['TaskOverdue', 4],
      ['TaskEscalated', 5],
      ['TaskEscalated', 6],
    ]);
    expect(await end()).toEqual({ status: 'completed', result: {} });
    await setting.verify('due_times', runId);
    await stop();
  });

  it('after a standstill does what fell due meanwhile, each once and in order', async () => {
    const { pass, told, end, stop, restart, setting, runId } = await clock(all);
    await pass(1);
    await stop();
    await pass(6);
    expect(await told()).toEqual([]);
    await restart();
    const late = await told();
    expect(late.map(([type]) => type)).toEqual([
      'TaskReminded',
      'TaskReminded',
      'TaskOverdue',
      'TaskEscalated',
      'TaskEscalated',
    ]);
    await pass(2);
    expect(await told()).toEqual(late);
    expect(await end()).toEqual({ status: 'completed', result: {} });
    await setting.verify('due_times', runId);
    await stop();
  });

  it('ends with the outcome of its expiry', async () => {
    const { pass, end, stop } = await clock({ expireIn: 'PT1H', onExpiry: { transition: 'refuse' } });
    await pass(2);
    expect(await end()).toEqual({ status: 'completed', result: { transition: 'refuse' } });
    await stop();
  });

  it('of a round ends with the transition that is due first', async () => {
    const after = [
      { in: 'PT2H', transition: 'late' },
      { in: 'PT1H', transition: 'early' },
    ];
    const { pass, end, stop } = await clock({}, after);
    await pass(3);
    expect(await end()).toEqual({ status: 'completed', result: { transition: 'early' } });
    await stop();
  });

  it('that is moved does everything by the new instants, and reminds of none that is past', async () => {
    const { pass, told, end, move, at, stop, setting, runId } = await clock(all);
    await pass(3.5);
    await move({ dueAt: at(5), expiresAt: at(20) });
    await pass(3);
    expect((await told()).map(([type]) => type)).toEqual([
      'TaskReminded',
      'TaskReminded',
      'TaskReminded',
      'TaskOverdue',
      'TaskEscalated',
      'TaskEscalated',
    ]);
    await pass(10);
    expect(await end()).toBeUndefined();
    await pass(4);
    expect(await end()).toEqual({ status: 'completed', result: {} });
    await setting.verify('due_times', runId);
    await stop();
  });

  it('without times waits until it is moved, and takes no move after its end', async () => {
    const { pass, told, end, move, at, stop } = await clock({});
    await pass(9);
    expect(await end()).toBeUndefined();
    await move({ dueAt: at(10) });
    await move({ expiresAt: at(11) });
    await pass(3);
    expect(await told()).toEqual([['TaskOverdue', 10]]);
    expect(await end()).toEqual({ status: 'completed', result: {} });
    expect(await move({ dueAt: at(20) })).toMatchObject({ code: 'not-running' });
    await stop();
  });
});
