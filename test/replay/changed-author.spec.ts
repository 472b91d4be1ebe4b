import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { verifySession } from '#lib/decisions/driving';
import { eventCatalogue } from '#lib/engine';
import { verifyRunTree } from '#lib/runs/runs/core';
import { dueTimes } from '#lib/tasks/core';
import { WorkflowRegistry } from '#lib/workflow';
import { startEngine, type TestEngine } from '../support/engine.js';
import { type HistoryEvent, logOf } from './history.js';
import { askingFor } from '#lib/workflow/testing';

const asking = askingFor({ type: 'boolean' });

const machine = {
  machineName: 'payments',
  initialState: 'asked',
  goalState: 'paid',
  states: {
    asked: { people: { approvals: 2 }, transitions: { check: 'checked' } },
    checked: { transitions: { pay: 'paid', again: 'asked' } },
    paid: {},
  },
  specialists: [
    ...['ann', 'bob', 'cy'].map((specialistId) => ({
      role: 'proposer' as const,
      specialistId,
      isHuman: true,
    })),
    { role: 'proposer' as const, specialistId: 'rule', strategyFnName: 'firstAvailable' },
  ],
};

/** Acts on tasks, parked deliveries and subjects: their authors are in no derived event, and replay reads none of them. */
const NOT_REPLAYED = [
  'ContentExported',
  'TaskClaimed',
  'TaskReleased',
  'TaskAssigned',
  'TaskCommented',
  'TaskAttemptRefused',
  'DeliveryRetried',
  'DeliveryDropped',
  'HookDeleted',
  'HookRegistered',
  'ReactionEnded',
  'SubjectErased',
  'HistoryExported',
];

const workflows = new WorkflowRegistry([asking, dueTimes]);
const catalogue = eventCatalogue([asking]);
let engine: TestEngine;
let events: readonly HistoryEvent[];

const inOneHour = () => new Date(Date.now() + 3_600_000).toISOString();

async function playSession(): Promise<void> {
  const { redial } = engine;
  await redial.defineMachine(machine);
  const as = (actor: string) => ({ actor });
  const { sessionId, currentRoundId: roundId } = await redial.createSession(
    { machineName: 'payments' },
    as('eve'),
  );
  const check = { sessionId, transitionName: 'check' };
  await redial.submitProposal({ ...check, specialistId: 'cy' }, as('cy'));
  await redial.submitProposal({ sessionId, specialistId: 'rule' }, as('ann'));
  await redial.submitArbitration({ ...check, specialistId: 'ann' }, as('ann'));
  await redial.submitArbitration({ ...check, specialistId: 'bob' }, as('bob'));
  await redial.submitProposal({ ...check, specialistId: 'ann', roundId }, as('ann'));
  await redial.executeTransition({ sessionId, transitionName: 'again', toState: 'asked' }, as('eve'));
  const { revision: atRevision } = await redial.getSession({ sessionId });
  const fork = await redial.forkSession({ sessionId, atRevision }, as('bob'));
  await redial.forkSession({ sessionId: fork.sessionId, atRevision: fork.revision }, as('cy'));
  await redial.closeSession({ sessionId, reason: 'enough' }, as('eve'));
}

async function playRun(): Promise<void> {
  const { redial } = engine;
  const input = { workflow: 'asking', input: { people: ['ann', 'bob'], approvals: 2 }, waitMs: 10_000 };
  const { runId } = await redial.startRun(input, { actor: 'eve' });
  const { revision: atRevision } = await redial.getRun({ runId });
  const fork = await redial.forkRun({ runId, atRevision }, { actor: 'bob' });
  await redial.forkRun({ runId: fork.runId, atRevision: fork.revision }, { actor: 'cy' });
  const { items } = await redial.listTasks({ runId });
  const { taskId = '' } = items[0] ?? {};
  await redial.extendTask({ taskId, dueAt: inOneHour() }, { actor: 'eve' });
  for (const actor of ['ann', 'bob'])
    await redial.answerTask({ taskId, choice: 'answer', payload: true }, { actor });
  expect(await redial.getRun({ runId, waitMs: 10_000 })).toMatchObject({ status: 'completed' });
}

beforeAll(async () => {
  engine = await startEngine([], { workflows: [asking] });
  for (const personId of ['ann', 'bob', 'cy'])
    await engine.redial.registerPerson({ personId, role: 'reviewer' });
  await engine.redial.registerPerson({ personId: 'eve', role: 'operator' });
  await playSession();
  await playRun();
  const stored = await engine.log.store.readAll({ limit: 10_000 });
  events = stored.map(({ stream, eventId, type, data, metadata }) => ({
    stream,
    eventId,
    type,
    data,
    metadata,
  }));
});
afterAll(() => engine.stop());

/** Whether every session and every run that no other stream owns replays identical. */
async function isIdentical(copy: readonly HistoryEvent[]): Promise<boolean> {
  const log = await logOf(copy, catalogue);
  for (const stream of new Set(copy.map((event) => event.stream))) {
    const { category, id } = log.streams.parse(stream) ?? { category: '', id: '' };
    const session = category === 'session' ? await verifySession(log, id, workflows) : undefined;
    if (session && !session.identical) return false;
    const runs = category === 'asking' ? await verifyRunTree(log, workflows, stream) : [];
    if (runs.some(({ divergence }) => divergence)) return false;
  }
  return true;
}

const authorIn = ({ data }: HistoryEvent) => (JSON.parse(data) as { readonly by?: string }).by;
const commandIn = ({ metadata }: HistoryEvent) =>
  (JSON.parse(metadata) as { readonly commandId?: string }).commandId;

it('every kind of event with an author is played', () => {
  const kinds = catalogue.types.filter((type) => {
    return catalogue.membersOf(type).some((members) => typeof members === 'object' && 'by' in members);
  });
  const played = new Set(events.filter((event) => authorIn(event) !== undefined).map(({ type }) => type));
  expect([...played, ...NOT_REPLAYED].toSorted()).toEqual(kinds.toSorted());
});

it('a changed author in a copy of the log is found: in one event, and in all that its command has recorded', async () => {
  expect(await isIdentical(events)).toBe(true);
  const missed: string[] = [];
  for (const [at, event] of events.entries()) {
    const by = authorIn(event);
    if (by === undefined) continue;
    const [was, is] = [`"by":"${by}"`, `"by":"mallory"`];
    const alone = events.with(at, { ...event, data: event.data.replaceAll(was, is) });
    const gone = events.with(at, { ...event, data: event.data.replace(`,${was}`, '') });
    const forged = (one: HistoryEvent): HistoryEvent =>
      commandIn(one) !== commandIn(event)
        ? one
        : {
            ...one,
            data: one.data.replaceAll(was, is),
            metadata: one.metadata.replaceAll(was, is).replaceAll(`"actor":"${by}"`, '"actor":"mallory"'),
          };
    const copies = { alone, gone, everywhere: events.map(forged) };
    for (const [how, copy] of Object.entries(copies))
      if (await isIdentical(copy)) missed.push(`${event.type} ${how}`);
  }
  expect(missed).toEqual([]);
});
