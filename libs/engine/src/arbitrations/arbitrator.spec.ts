import { describe, expect, it } from '@jest/globals';
import { type ArbiterFn, ArbiterFunctions, ArbitrationActivities, WebhookCaller } from '#lib/activities';
import { EventLog, InMemoryEventStore, StreamNames } from '#lib/event-store';
import { randomIds, systemClock } from '#lib/kernel';
import { normalizeMachine } from '#lib/machine';
import { verifySession } from '#lib/replay';
import { type SessionCommand, sessionDecider } from '#lib/session';
import { RunnerStopped, WorkflowRunner } from '#lib/legacy-workflow';
import { callOf, CommandWriter, RejectionError, WrittenPosition } from '#lib/operations';
import { InMemoryLeases } from '#lib/workflow/testing';
import { eventCatalogue } from '../module/event-catalogue.js';
import { Arbitrator } from './arbitrator.js';

const SESSION = randomIds.next();
const ARBITRATION = randomIds.next();
const arbiter = { specialistId: 'judge', specialistVersion: 1, strategyFnName: 'majority' };
const alignment = { rule: 'wilson', ruleVersion: 1, scores: [] };
const machine = normalizeMachine({
  machineName: 'support',
  initialState: 'triage',
  goalState: 'done',
  states: { triage: { transitions: { refund: 'done' } }, done: {} },
});
const proposal = {
  proposalId: 'p1',
  specialistId: 'clerk',
  specialistVersion: 1,
  isHuman: false,
  transitionName: 'refund',
};
const question = { arbitrationId: ARBITRATION, nextRoundId: 'r2', isHuman: false, arbiter, alignment };
const asked: readonly SessionCommand[] = [
  { type: 'CreateSession', data: { sessionId: SESSION, roundId: 'r1', machine } },
  { type: 'SubmitProposal', data: { sessionId: SESSION, ...proposal } },
  { type: 'SubmitArbitration', data: { sessionId: SESSION, ...question } },
];
const agrees: ArbiterFn = ({ proposals: [first] }) => ({
  consensusReached: true,
  ...(first && { winningProposalId: first.proposalId }),
});

/** One log and its leases, with any number of processes on them. */
class Setting {
  readonly log = new EventLog(new InMemoryEventStore(), eventCatalogue(), new StreamNames());
  readonly leases = new InMemoryLeases(systemClock);
  readonly writer = new CommandWriter(this.log, systemClock, new WrittenPosition());

  /** A session that has asked its arbiter. */
  static async asking(): Promise<Setting> {
    const setting = new Setting();
    for (const command of asked) await setting.send(command);
    return setting;
  }

  async send(command: SessionCommand): Promise<void> {
    const call = callOf('test', command, {}, randomIds);
    await this.writer.send(sessionDecider, { category: 'session', id: SESSION }, command, call);
  }

  process(owner: string, majority?: ArbiterFn): { arbitrator: Arbitrator; runner: WorkflowRunner } {
    const settings = { owner, leaseTtlMs: 60_000 };
    const runner = new WorkflowRunner(this.log, this.leases, systemClock, randomIds, settings);
    const functions = new ArbiterFunctions();
    if (majority) functions.registerArbiter('majority', majority);
    const webhooks = new WebhookCaller({ privateAddresses: 'allow' });
    const activities = new ArbitrationActivities(functions, webhooks);
    const policies = { maxAttempts: 1, callTimeoutMs: 10_000, webhookTimeoutMs: 10_000 };
    const { log, writer } = this;
    return {
      arbitrator: new Arbitrator(log, writer, runner, activities, policies, facts, systemClock, randomIds),
      runner,
    };
  }

  async types(category: 'session' | 'arbitration'): Promise<readonly string[]> {
    const id = category === 'session' ? SESSION : ARBITRATION;
    const events = await this.log.readStream(this.log.streams.of(category, id));
    return events.map(({ type }) => type);
  }
}

const WHOLE = ['ArbitrationStarted', 'ArbiterCallRequested', 'ArbiterCallCompleted', 'VerdictReached'];

const facts = { ofArbitration: () => Promise.resolve({}) };

describe('Arbitrator', () => {
  it('asks the arbiter, and brings its verdict into the session: consensus and transition', async () => {
    const setting = await Setting.asking();
    const { events, position } = await setting.process('a', agrees).arbitrator.finish(SESSION, ARBITRATION);
    expect(events.map(({ type }) => type)).toEqual(['ConsensusReached', 'TransitionExecuted']);
    expect(position).toBe(events.at(-1)?.position);
    expect(await setting.types('arbitration')).toEqual(WHOLE);
    expect(await verifySession(setting.log, SESSION)).toMatchObject({ identical: true, streamsChecked: 2 });
  });

  it.each<[string, ArbiterFn, string]>([
    ['no consensus', () => ({ consensusReached: false }), 'ConsensusNotReached'],
    [
      'a winner that nobody proposed',
      () => ({ consensusReached: true, winningProposalId: 'x' }),
      'VerdictSetAside',
    ],
    [
      'an error',
      () => {
        throw new Error('out');
      },
      'ArbitrationFailed',
    ],
  ])('brings %s into the session', async (_, judge, closing) => {
    const setting = await Setting.asking();
    const { events } = await setting.process('a', judge).arbitrator.finish(SESSION, ARBITRATION);
    expect(events.map(({ type }) => type)).toEqual([closing]);
    expect(await verifySession(setting.log, SESSION)).toMatchObject({ identical: true });
  });

  it('asks once, however many wait for it, and gives the same again to who asks later', async () => {
    const setting = await Setting.asking();
    const calls: unknown[] = [];
    const judge: ArbiterFn = (context) => {
      calls.push(context);
      return agrees(context);
    };
    const [one, other] = [setting.process('a', judge), setting.process('b', judge)];
    const ends = await Promise.all([
      one.arbitrator.finish(SESSION, ARBITRATION),
      one.arbitrator.finish(SESSION, ARBITRATION),
      other.arbitrator.finish(SESSION, ARBITRATION),
    ]);
    expect(new Set(ends.map(({ position }) => position)).size).toBe(1);
    expect(await other.arbitrator.finish(SESSION, ARBITRATION)).toEqual(ends[0]);
    expect(calls).toHaveLength(1);
  });

  it('shows the arbiter the round as it was when it was asked, and sets a verdict aside that comes too late', async () => {
    const setting = await Setting.asking();
    const forced = { ...question, arbitrationId: 'forced', isHuman: true, transitionName: 'refund' };
    await setting.send({ type: 'SubmitArbitration', data: { sessionId: SESSION, ...forced } });
    const seen: string[] = [];
    const { arbitrator } = setting.process('a', (context) => {
      seen.push(context.currentState, ...context.proposals.map(({ proposalId }) => proposalId));
      return agrees(context);
    });
    const { events } = await arbitrator.finish(SESSION, ARBITRATION);
    expect(seen).toEqual(['triage', 'p1']);
    expect(events).toMatchObject([{ type: 'VerdictSetAside', data: { reason: 'late' } }]);
    expect(await verifySession(setting.log, SESSION)).toMatchObject({ identical: true });
  });

  it('refuses before anything is written what this process cannot ask, and claims what it can', async () => {
    const setting = new Setting();
    const without = setting.process('a').arbitrator;
    await expect(without.prepare(SESSION, ARBITRATION, arbiter)).rejects.toThrow(RejectionError);
    const stream = setting.log.streams.of('arbitration', ARBITRATION);
    expect(setting.leases.ownerOf(stream)).toBeUndefined();
    await setting.process('b', agrees).arbitrator.prepare(SESSION, ARBITRATION, arbiter);
    expect(setting.leases.ownerOf(stream)).toBe('b');
    expect(await setting.types('session')).toEqual([]);
  });

  it('prepares nothing for an arbitration that is begun: whoever repeats the call gets its end', async () => {
    const setting = await Setting.asking();
    await setting.process('a').arbitrator.prepare(SESSION, ARBITRATION, arbiter);
    expect(setting.leases.ownerOf(setting.log.streams.of('arbitration', ARBITRATION))).toBeUndefined();
  });

  it('does not know an arbitration that its session does not know', async () => {
    const setting = await Setting.asking();
    const { arbitrator } = setting.process('a', agrees);
    await expect(arbitrator.finish(SESSION, 'other')).rejects.toThrow(/does not know it/);
  });
});

describe('recovery of an arbitration', () => {
  it('leaves alone what somebody runs, and finishes what was cut off: the call is marked as interrupted', async () => {
    const setting = await Setting.asking();
    let called: (value?: unknown) => void = () => undefined;
    const call = new Promise((resolve) => {
      called = resolve;
    });
    const running = setting.process('a', () => {
      called();
      return new Promise(() => undefined);
    });
    const other = setting.process('b', agrees);
    const cutOff = running.arbitrator.finish(SESSION, ARBITRATION);
    await call;
    expect(await other.arbitrator.recover(SESSION, ARBITRATION)).toBe(false);
    await running.runner.stop(0);
    await cutOff.catch(() => undefined);
    expect(await other.arbitrator.recover(SESSION, ARBITRATION)).toBe(true);
    expect((await setting.types('session')).at(-1)).toBe('ArbitrationFailed');
    expect(await verifySession(setting.log, SESSION)).toMatchObject({ identical: true, open: 0 });
  });

  it('brings a verdict into the session that was reached and never told', async () => {
    const setting = await Setting.asking();
    const stopping = setting.process('a', agrees);
    await stopping.runner.stop(0);
    await expect(stopping.arbitrator.finish(SESSION, ARBITRATION)).rejects.toThrow(RunnerStopped);
    expect(await setting.types('arbitration')).toEqual(['ArbitrationStarted']);
    const { arbitrator } = setting.process('b', agrees);
    expect(await arbitrator.recover(SESSION, ARBITRATION)).toBe(true);
    expect((await setting.types('session')).at(-1)).toBe('TransitionExecuted');
    expect(await arbitrator.recover(SESSION, ARBITRATION)).toBe(true);
  });
});
