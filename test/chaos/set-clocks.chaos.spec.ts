import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { RecordedEvent } from '#lib/kernel';
import type { Time } from '#lib/workflow';
import { Life } from './mortal/life.js';
import { options, prepare, times } from './mortal/desk.js';
import { type Process, World } from './mortal/world.js';

const HOUR_MS = 3_600_000;
const DUE_MS = 200_000;
const REMIND_MS = 120_000;
const ESCALATE_MS = 260_000;
const EXPIRE_MS = 320_000;

/** The clock of a machine: it is set, while what waits in a process is measured by the time that passes. */
class WallClock {
  aheadMs = 0;

  of(shared: Time): Time {
    return {
      now: () => new Date(shared.now().getTime() + this.aheadMs),
      monotonicMs: () => shared.monotonicMs(),
      after: (milliseconds, callback) => shared.after(milliseconds, callback),
    };
  }
}

describe('the times of waits', () => {
  let world: World;
  let clock: WallClock;
  let process: Process;

  beforeEach(async () => {
    world = new World(options);
    clock = new WallClock();
    process = await started();
    await prepare(process);
    const input = { people: ['ann'], ...times, onExpiry: { payload: false } };
    await world.answerOf((redial) => redial.startRun({ workflow: 'asking', input }), process);
    const created = await world.answerOf(
      (redial) => redial.createSession({ machineName: 'desk' }, { actor: 'eve' }),
      process,
    );
    const sessionId = created?.sessionId ?? '';
    await world.answerOf((redial) => redial.tickSession({ sessionId }), process);
  });
  afterEach(() => world.stop());

  const started = () => world.start(new Life(), clock.of(world.time));
  const happened = async () => (await world.events()).filter(isTimed);

  async function restarted(): Promise<void> {
    process.life.isOver = true;
    process = await started();
  }

  /** Each once, in order, and by the clock of the process that has recorded it none before its time. */
  async function expectAllOnce(): Promise<void> {
    const events = await world.events();
    const clocks = events.filter(({ stream, type }) => type === 'WorkflowStarted' && isClock(stream));
    expect(clocks).toHaveLength(2);
    for (const { stream } of clocks) {
      const own = events.filter((event) => event.stream === stream);
      const moments = own.filter(isTimed);
      expect(moments.map(({ type }) => type)).toEqual([
        'TaskReminded',
        'TaskOverdue',
        'TaskEscalated',
        'WorkflowEnded',
      ]);
      const since = Date.parse((moments[0]?.data as { dueAt: string } | undefined)?.dueAt ?? '') - DUE_MS;
      const after = moments.map(({ occurredAt }) => Date.parse(occurredAt) - since);
      for (const [at, due] of [REMIND_MS, DUE_MS, ESCALATE_MS, EXPIRE_MS].entries())
        expect(after[at]).toBeGreaterThanOrEqual(due);
    }
    const expired = events.filter(({ type, data }) => type === 'TransitionExecuted' && 'timedBy' in data);
    expect(expired).toHaveLength(1);
    await world.expectIdentical();
  }

  it('that are set back in a process come by the new clock, and not before', async () => {
    await world.pass(REMIND_MS + 10_000);
    expect(await happened()).toHaveLength(2);
    clock.aheadMs = -HOUR_MS;
    await world.pass(HOUR_MS - 60_000);
    expect(await happened()).toHaveLength(2);
    await world.pass(EXPIRE_MS + 120_000);
    await expectAllOnce();
  });

  it('that are set forward in a process come with the next sweep', async () => {
    clock.aheadMs = 5 * HOUR_MS;
    await world.pass(60_000);
    await expectAllOnce();
  });

  it('that are set back and forward between processes and within them come once and in order', async () => {
    await world.pass(60_000);
    clock.aheadMs = -HOUR_MS;
    await restarted();
    await world.pass(EXPIRE_MS);
    expect(await happened()).toHaveLength(0);
    clock.aheadMs = 90_000;
    await world.pass(60_000);
    clock.aheadMs = -HOUR_MS;
    await world.pass(60_000);
    clock.aheadMs = 3 * HOUR_MS;
    await restarted();
    await world.pass(120_000);
    await expectAllOnce();
  });

  it('that fall due while no process runs come once and in order: due, reminder, escalation and expiry', async () => {
    process.life.isOver = true;
    await world.pass(24 * HOUR_MS);
    expect(await happened()).toHaveLength(0);
    process = await started();
    await world.pass(60_000);
    await expectAllOnce();
  });
});

function isClock(stream: string): boolean {
  return stream.includes('_due_times-');
}

/** The moments of a clock, and its end. */
function isTimed({ stream, type }: RecordedEvent): boolean {
  return isClock(stream) && /^Task|^WorkflowEnded$/.test(type);
}
