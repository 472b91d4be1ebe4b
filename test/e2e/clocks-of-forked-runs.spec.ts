import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Redial } from '#lib/engine';
import { RunCommands, type Workflow } from '#lib/workflow';
import { askingFor } from '#lib/workflow/testing';
import { approval } from '../support/approval.workflow.js';
import { RedialServer } from '../support/redial-server.js';
import { untilEvent } from '../support/until-event.js';

const asking = askingFor({ type: 'boolean' });
const people = { people: ['ann'], dueIn: 'PT1H' };
const timed: Workflow<null> = {
  name: 'timed',
  versions: {
    1: {
      input: {},
      initialState: () => null,
      evolve: (state) => state,
      next: () => [{ do: 'await', id: 'go', signal: 'go', prompt: 'Go?', people }],
    },
  },
};

describe('times that an operator sets for a wait', () => {
  let server: RedialServer;
  let redial: Redial;
  beforeAll(async () => {
    server = await RedialServer.start({ options: { workflows: [asking, approval, timed] } });
    redial = server.app.get(Redial);
  });
  afterAll(() => server.stop());

  const started = async (workflow: string, input: { readonly [name: string]: string }) =>
    (await redial.startRun({ workflow, input, waitMs: 10_000 })).runId;
  const taskOf = async (runId: string) => {
    const minPosition = (await server.log.store.head()) ?? '';
    const [task] = (await redial.listTasks({ runId, status: 'all', minPosition })).items;
    if (!task) throw new Error('no task');
    return task;
  };
  const forkOf = async (runId: string) => {
    const { revision: atRevision } = await redial.getRun({ runId });
    const fork = await redial.forkRun({ runId, atRevision });
    await untilEvent(
      server.log,
      ({ type, stream, metadata }) =>
        type === 'SignalAwaited' && stream.endsWith(fork.runId) && !metadata.copied,
    );
    return fork.runId;
  };
  const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();
  const until = (runId: string, type: string) =>
    untilEvent(server.log, (event) => event.type === type && event.stream.endsWith(runId));
  const expectIdentical = async (runId: string) =>
    expect(await redial.replayRun({ runId })).toMatchObject({ identical: true });
  /** The clock of the only wait fails. */
  async function failClock(runId: string) {
    const { data } = await until(runId, 'ChildStarted');
    const { runId: clockId } = data as { readonly runId: string };
    await until(clockId, 'WorkflowStarted');
    const about = { correlationId: clockId, causationId: clockId, commandId: randomUUID() };
    const metadata = { occurredAt: new Date().toISOString(), actor: 'operator', ...about };
    const clock = server.log.streams.of('due_times', clockId);
    await server.app.get(RunCommands, { strict: false }).giveUp(clock, {}, { metadata });
    await until(runId, 'ChildEnded');
  }

  it('hold in a fork of a run, also where others were set before it', async () => {
    const parent = await started('asking', { expireIn: 'PT3S' });
    await redial.extendTask({ taskId: (await taskOf(parent)).taskId, expiresAt: inMs(7_200_000) });
    const runId = await forkOf(parent);
    const { taskId } = await taskOf(runId);
    const expiresAt = inMs(5_000);
    expect(await redial.extendTask({ taskId, expiresAt })).toMatchObject({ expiresAt });
    const { occurredAt } = await until(runId, 'WorkflowEnded');
    expect(Date.parse(occurredAt)).toBeGreaterThanOrEqual(Date.parse(expiresAt));
    expect(await taskOf(runId)).toMatchObject({ status: 'expired', expiresAt });
    await expectIdentical(runId);
  });

  it.each([
    ['asking', { dueIn: 'PT1H' }],
    ['approval', { item: 'cup' }],
  ])('hold in a fork of a run whose clock had failed: %s', async (workflow, input) => {
    const parent = await started(workflow, { ...input });
    if (workflow === 'approval')
      await redial.extendTask({ taskId: (await taskOf(parent)).taskId, dueAt: inMs(3_600_000) });
    await failClock(parent);
    const runId = await forkOf(parent);
    const { taskId } = await taskOf(runId);
    for (const dueAt of [inMs(7_200_000), inMs(10_800_000)]) {
      expect(await redial.extendTask({ taskId, dueAt })).toMatchObject({ dueAt });
      expect(await redial.listTasks({ runId })).toMatchObject({ items: [{ dueAt }] });
    }
    await expectIdentical(runId);
  });

  it('hold for a wait of rules whose people have times, which time nothing there', async () => {
    const { taskId } = await taskOf(await started('timed', {}));
    const dueAt = inMs(7_200_000);
    expect(await redial.extendTask({ taskId, dueAt })).toMatchObject({ dueAt });
  });
});
