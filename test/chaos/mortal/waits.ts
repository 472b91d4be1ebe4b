import type { Redial } from '#lib/engine';
import { people, times } from './desk.js';
import type { World } from './world.js';

/** From a move until the task is due: longer than many takeovers. */
const MOVED_MS = 2_000_000;

/** One part of a story: a call under a key, or time that passes until the log has so many events of a type. */
export type Part =
  | { readonly call: (redial: Redial, key: { idempotencyKey: string }) => Promise<unknown> }
  | { readonly until: readonly [type: string, count: number] };

/** The input of a call that is repeated after a kill is that of its first time. */
function once<T>(make: (redial: Redial) => Promise<T>): (redial: Redial) => Promise<T> {
  let made: Promise<T> | undefined;
  return async (redial) => {
    const known = await (made ?? make(redial));
    made = Promise.resolve(known);
    return known;
  };
}

/** Rounds of a session: a wait that expires, two approvals, a claim, the age of a round, a clock that is started. */
export function sessionStory(world: World): readonly Part[] {
  const created = once((redial) =>
    redial.createSession({ machineName: 'desk' }, { actor: 'eve', idempotencyKey: 'create' }),
  );
  const task = (redial: Redial) =>
    created(redial).then(async ({ sessionId }) => (await redial.listTasks({ sessionId })).items[0]);
  const shown = [0, 1].map(() => once(task));
  const [shared, last] = shown as [typeof task, typeof task];
  const at = once(async () => new Date(world.time.now().getTime() + MOVED_MS).toISOString());
  const act =
    (of: typeof task, transitionName: string, actor: string): Extract<Part, { call: unknown }>['call'] =>
    async (redial, key) => {
      const { taskId = '', digest = '' } = (await of(redial)) ?? {};
      return redial.answerTask({ taskId, choice: 'transition', digest, transitionName }, { actor, ...key });
    };
  const tick = async (redial: Redial, key: object) =>
    redial.tickSession({ sessionId: (await created(redial)).sessionId }, key);
  return [
    { call: created },
    { call: tick },
    { until: ['TransitionExecuted', 1] },
    { call: tick },
    {
      call: async (redial, key) =>
        redial.claimTask({ taskId: (await shared(redial))?.taskId ?? '' }, { actor: 'ann', ...key }),
    },
    { call: act(shared, 'agree', 'ann') },
    {
      call: async (redial, key) =>
        redial.releaseTask({ taskId: (await shared(redial))?.taskId ?? '' }, { actor: 'ann', ...key }),
    },
    { call: act(shared, 'agree', 'bob') },
    { until: ['TransitionExecuted', 3] },
    { call: tick },
    {
      call: async (redial, key) => {
        const taskId = (await last(redial))?.taskId ?? '';
        return redial.extendTask({ taskId, dueAt: await at(redial) }, { actor: 'eve', ...key });
      },
    },
    { until: ['TaskOverdue', 2] },
    { call: act(last, 'pay', 'bob') },
  ];
}

/** Questions of scripts: one that expires, one that is answered once its clock was asked for. */
export function runStory(world: World): readonly Part[] {
  const start = (key: string, input: object) =>
    once((redial) =>
      redial.startRun(
        { workflow: 'asking', input: { ...people, ...input } },
        { actor: 'eve', idempotencyKey: key },
      ),
    );
  const expiring = start('expiring', { ...times, onExpiry: { payload: false } });
  const asked = start('asked', {});
  const taskId = once(async (redial: Redial) => {
    const { runId } = await asked(redial);
    return (await redial.listTasks({ runId })).items[0]?.taskId ?? '';
  });
  const at = once(async () => new Date(world.time.now().getTime() + MOVED_MS).toISOString());
  return [
    { call: expiring },
    { until: ['WorkflowEnded', 2] },
    { call: asked },
    { until: ['SignalAwaited', 2] },
    {
      call: async (redial, key) =>
        redial.claimTask({ taskId: await taskId(redial) }, { actor: 'ann', ...key }),
    },
    {
      call: async (redial, key) =>
        redial.extendTask(
          { taskId: await taskId(redial), dueAt: await at(redial) },
          { actor: 'eve', ...key },
        ),
    },
    { until: ['TaskOverdue', 2] },
    {
      call: async (redial, key) => {
        const answer = { taskId: await taskId(redial), choice: 'answer', payload: true };
        return redial.answerTask(answer, { actor: 'ann', ...key });
      },
    },
    { until: ['WorkflowEnded', 4] },
  ];
}
