import { randomBytes } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import type { Redial } from '#lib/engine';
import { ProjectionRunner } from '#lib/read-models';
import { approval } from '../support/approval.workflow.js';
import { startEngine, type TestEngine } from '../support/engine.js';
import { Doors } from './two-doors.js';
import { mayAnswer, PEOPLE, type Task } from './two-doors.tasks.js';

const POLICIES = [
  { groups: ['buyers'], exclude: ['creator', 'proposers'], dueIn: 'PT1H' },
  { people: ['ann', 'cy'], approvals: 2, priority: 70 },
  { groups: ['heads'], people: ['cy'], expireIn: 'PT2H' },
];
const desk = (n: number) => ({
  machineName: 'desk',
  initialState: 'asked',
  goalState: 'paid',
  states: {
    asked: {
      transitions: { pay: { target: 'paid', needsPerson: true as const }, drop: 'dropped', check: 'checked' },
      people: POLICIES[n % POLICIES.length],
    },
    checked: { transitions: { back: 'asked', pay: 'paid' }, people: POLICIES[(n + 1) % POLICIES.length] },
    paid: {},
    dropped: {},
  },
  specialists: [
    { role: 'proposer', specialistId: 'clerk', strategyFnName: 'firstAvailable' },
    { role: 'proposer', specialistId: 'chair', isHuman: true, personId: 'cy' },
  ],
});

/** The subject of a command. */
interface Step {
  readonly name: string;
  readonly sessionId: string;
  readonly subject: string;
  readonly task: Task | undefined;
  readonly by: string;
  readonly n: number;
}

type Command = (redial: Redial, step: Step) => Promise<unknown> | undefined;

const inAnHour = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
/** Mostly a person who may: the refusals have properties of their own. */
const actorOf = ({ task, by, n }: Step) => {
  const may = Object.keys(PEOPLE).filter((one) => task && n % 5 !== 0 && mayAnswer(one, task));
  return { actor: may[n % Math.max(1, may.length)] ?? by };
};
const answered: Command = (redial, step) => {
  const { task, n } = step;
  const chosen = task?.choices[n % task.choices.length];
  if (!task || !chosen) return undefined;
  const { schema: _, toState: __, choice, ...named } = chosen;
  const payload = choice === 'answer' && { payload: { approved: true } };
  const answer = { taskId: task.taskId, digest: task.digest, choice: choice as 'accept', ...named };
  return redial.answerTask({ ...answer, ...payload }, actorOf(step));
};
const ran: Command = (redial, { sessionId }) => redial.runSession({ sessionId });
const proposed =
  (specialistId: string): Command =>
  (redial, { sessionId, by: actor, n }) => {
    const transitionName = ['pay', 'check', 'drop', 'back'][n % 4] ?? '';
    return redial.submitProposal({ sessionId, specialistId, transitionName }, { actor });
  };

/** Steps and answers twice, for they are what a session goes on by. */
const commands: { readonly [name: string]: Command } = {
  run: ran,
  runAgain: ran,
  answer: answered,
  answerAgain: answered,
  propose: proposed('clerk'),
  state: proposed('chair'),
  claim: (redial, step) => step.task && redial.claimTask({ taskId: step.task.taskId }, actorOf(step)),
  release: (redial, { task }) => task && redial.releaseTask({ taskId: task.taskId }),
  assign: (redial, { task, by, n }) =>
    task && redial.assignTask({ taskId: task.taskId, personId: n % 3 === 0 ? null : by }),
  extend: (redial, { task, n }) =>
    task &&
    redial.extendTask({
      taskId: task.taskId,
      ...(n % 2 === 0 ? { dueAt: inAnHour(1) } : { expiresAt: inAnHour(2) }),
    }),
  move: (redial, { sessionId }) =>
    redial.executeTransition({ sessionId, transitionName: 'check', toState: 'checked' }),
  close: (redial, { sessionId, n }) => (n % 3 === 0 ? redial.closeSession({ sessionId }) : undefined),
  redefine: (redial, { n }) => redial.defineMachine(desk(n)),
  disable: (redial) => redial.disableSpecialist({ specialistId: 'clerk' }),
  enable: (redial) => redial.enableSpecialist({ specialistId: 'clerk' }),
  erase: (redial, { subject, n }) => (n % 3 === 0 ? redial.eraseSubject({ subject }) : undefined),
  fork: async (redial, { sessionId, by: actor, n }) => {
    const { revision } = await redial.getSession({ sessionId });
    const overrides = n % 2 === 0 && { overrides: { machine: desk(n), metaJson: { n } } };
    const atRevision = n % 3 === 0 ? n % (revision + 1) : revision;
    const fork = await redial.forkSession({ sessionId, atRevision, ...overrides }, { actor });
    await redial.runSession({ sessionId: fork.sessionId });
  },
  cancel: (redial, { task }) =>
    typeof task?.about['runId'] === 'string' ? redial.cancelRun({ runId: task.about['runId'] }) : undefined,
};

const numbers = fc.record({
  name: fc.constantFrom(...Object.keys(commands)),
  by: fc.constantFrom(...Object.keys(PEOPLE)),
  n: fc.nat({ max: 59 }),
});
interface Play {
  readonly creator: string;
  readonly n: number;
  readonly steps: readonly Pick<Step, 'name' | 'by' | 'n'>[];
}
const plays: fc.Arbitrary<Play> = fc.record({
  creator: fc.constantFrom(...Object.keys(PEOPLE)),
  n: fc.nat({ max: 59 }),
  steps: fc.array(numbers, { minLength: 6, maxLength: 14 }),
});

let engine: TestEngine;
let played = 0;
beforeAll(async () => {
  engine = await startEngine([], { workflows: [approval], masterKey: randomBytes(32).toString('base64') });
  for (const [personId, groups] of Object.entries(PEOPLE))
    await engine.redial.registerPerson({ personId, role: 'reviewer', groups: [...groups] });
  await engine.redial.defineMachine(desk(0));
});
afterAll(() => engine.stop());

async function play({ creator: actor, n, steps }: Play): Promise<readonly string[]> {
  const { redial } = engine;
  const subject = `s${(played += 1)}`;
  const labels = {
    ...(n % 2 === 0 && { subject }),
    ...(n % 3 === 0 && { tags: { n: String(n % 4), kind: 'x' } }),
  };
  const run = n % 4 === 0 ? { machine: desk(n) } : { machineName: 'desk' };
  const { sessionId } = await redial.createSession({ ...run, metaJson: { n }, ...labels }, { actor });
  if (n % 5 === 0)
    await redial.startRun({ workflow: 'approval', input: { item: 'x' }, ...labels, waitMs: 9_000 });
  const granted: string[] = [];
  for (const { name, by, n: number } of steps) {
    const which = [{ status: 'all' }, {}][number % 4] ?? { sessionId };
    const own = await redial.listTasks(which);
    const step = {
      name,
      sessionId,
      subject,
      task: own.items[number % Math.max(1, own.items.length)],
      by,
      n: number,
    };
    await commands[name]?.(redial, step)?.then(
      () => granted.push(name),
      () => undefined,
    );
  }
  return granted;
}

it('each item of a list is its single view, and each filter selects those whose views fit, also after a rebuild', async () => {
  const granted = new Set<string>();
  await fc.assert(
    fc.asyncProperty(plays, async (one) => {
      for (const name of await play(one)) granted.add(name);
    }),
    { numRuns: 16, endOnFailure: true },
  );
  expect(granted.size).toBeGreaterThan(10);
  const doors = new Doors(engine);
  const live = await doors.check();
  const runner = engine.app.get<ProjectionRunner>(ProjectionRunner);
  for (const name of runner.names) await runner.rebuild(name);
  while ((await runner.status()).some(({ status }) => status === 'rebuilding')) await setImmediate();
  expect(await doors.check()).toEqual(live);
});
