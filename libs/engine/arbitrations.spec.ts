import { describe, expect, it } from '@jest/globals';
import { type ArbiterFn, ArbiterFunctions, arbitration } from '#lib/decisions/arbitration';
import { functionActivity, Redactor } from '#lib/activities';
import { ProposerFunctions, registeredFunctions } from '#lib/decisions/solicitation';
import { ActivityRegistry } from '#lib/workflow';
import { EventLog, InMemoryEventStore, StreamNames } from '#lib/event-store';
import { randomIds, systemClock } from '#lib/kernel';
import { normalizeMachine } from '#lib/decisions/machines';
import { commandContext, CommandWriter, RejectionError, WrittenPosition } from '#lib/operations';
import { arbitrationRun, Arbitrations, verifySession } from '#lib/decisions/driving';
import { StreamOwner } from '#lib/runs/runs';
import { type SessionCommand, sessionDecider } from '#lib/decisions/session';
import { RuntimeStopped, systemTime, WorkflowRegistry, WorkflowRuntime } from '#lib/workflow';
import { InMemoryLeases } from '#lib/workflow/testing';
import { eventCatalogue } from './module/event-catalogue.js';

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
    const context = commandContext('test', {}, randomIds);
    await this.writer.send(sessionDecider, { category: 'session', id: SESSION }, command, context);
  }

  /** A process that has begun to follow the log. */
  async process(owner: string, majority?: ArbiterFn) {
    const { log, writer } = this;
    const arbiters = new ArbiterFunctions();
    if (majority) arbiters.registerArbiter('majority', majority);
    const functions = registeredFunctions({}, new ProposerFunctions(), arbiters);
    const activities = new ActivityRegistry([functionActivity(functions, new Redactor([]))]);
    const policies = { maxAttempts: 1, callTimeoutMs: 10_000, webhookTimeoutMs: 10_000 };
    const kind = arbitrationRun(policies);
    const nothing = () => Promise.resolve([]);
    const runtime = new WorkflowRuntime({
      log,
      activities,
      workflows: new WorkflowRegistry([arbitration]),
      facts: { exemplars: () => [] },
      problemsOf: () => [],
      time: systemTime,
      ids: randomIds,
      holder: { leases: this.leases, owner, ttlMs: 60_000, time: systemTime },
      index: { toWake: nothing, toBegin: nothing },
      sweepMs: 60_000,
      callLimit: () => 10,
      checksRules: true,
      owners: new Map([['arbitration', new StreamOwner(kind, writer, systemClock)]]),
      observer: { warn: () => undefined, outcomeDiscarded: () => undefined, delta: () => undefined },
    });
    await runtime.start();
    return { runtime, arbitrations: new Arbitrations(log, writer, runtime, activities) };
  }

  async types(category: 'session' | 'arbitration'): Promise<readonly string[]> {
    const id = category === 'session' ? SESSION : ARBITRATION;
    const events = await this.log.readStream(this.log.streams.of(category, id));
    return events.map(({ type }) => type);
  }
}

describe('an arbitration that a session asks for', () => {
  it('asks the arbiter, and records its verdict in the session: consensus and transition', async () => {
    const setting = await Setting.asking();
    const { runtime, arbitrations } = await setting.process('a', agrees);
    const events = await arbitrations.finish(SESSION, ARBITRATION);
    expect(events.map(({ type }) => type)).toEqual(['ConsensusReached', 'TransitionExecuted']);
    expect(await setting.types('arbitration')).toEqual([
      'WorkflowStarted',
      'FunctionCallRequested',
      'FunctionCallCompleted',
      'WorkflowEnded',
    ]);
    expect(await verifySession(setting.log, SESSION)).toMatchObject({ identical: true, streamsChecked: 2 });
    await runtime.stop(0);
  });

  it.each<[string, ArbiterFn, string]>([
    ['no consensus', () => ({ consensusReached: false }), 'ConsensusNotReached'],
    [
      'a winner without a proposal',
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
    const { runtime, arbitrations } = await setting.process('a', judge);
    const events = await arbitrations.finish(SESSION, ARBITRATION);
    expect(events.map(({ type }) => type)).toEqual([closing]);
    expect(await verifySession(setting.log, SESSION)).toMatchObject({ identical: true });
    await runtime.stop(0);
  });

  it('asks once, however many wait for it here and in another process, and gives all the same', async () => {
    const setting = await Setting.asking();
    const calls: unknown[] = [];
    const judge: ArbiterFn = (context) => {
      calls.push(context);
      return agrees(context);
    };
    const [one, other] = [await setting.process('a', judge), await setting.process('b', judge)];
    const ends = await Promise.all([
      one.arbitrations.finish(SESSION, ARBITRATION),
      one.arbitrations.finish(SESSION, ARBITRATION),
      other.arbitrations.finish(SESSION, ARBITRATION),
    ]);
    ends.push(await other.arbitrations.finish(SESSION, ARBITRATION));
    expect(new Set(ends.map((events) => events.map(({ eventId }) => eventId).join())).size).toBe(1);
    expect(calls).toHaveLength(1);
    await Promise.all([one.runtime.stop(0), other.runtime.stop(0)]);
  });

  it('shows the arbiter the round as it was when it was asked, and sets a verdict aside that comes too late', async () => {
    const setting = await Setting.asking();
    const forced = { ...question, arbitrationId: 'forced', isHuman: true, transitionName: 'refund' };
    await setting.send({ type: 'SubmitArbitration', data: { sessionId: SESSION, ...forced } });
    const seen: string[] = [];
    const { runtime, arbitrations } = await setting.process('a', (context) => {
      seen.push(context.currentState, ...context.proposals.map(({ proposalId }) => proposalId));
      return agrees(context);
    });
    const events = await arbitrations.finish(SESSION, ARBITRATION);
    expect(seen).toEqual(['triage', 'p1']);
    expect(events).toMatchObject([{ type: 'VerdictSetAside', data: { reason: 'late' } }]);
    expect(await verifySession(setting.log, SESSION)).toMatchObject({ identical: true });
    await runtime.stop(0);
  });

  it('is refused before anything is written when this process has no such function', async () => {
    const setting = new Setting();
    const { runtime, arbitrations } = await setting.process('a');
    expect(() => arbitrations.check(arbiter)).toThrow(RejectionError);
    await runtime.stop(0);
  });

  it('is not known when its session has not asked for it, and not begun while the process stops', async () => {
    const setting = await Setting.asking();
    const { runtime, arbitrations } = await setting.process('a', agrees);
    await expect(arbitrations.finish(SESSION, randomIds.next())).rejects.toThrow(/does not know it/);
    await runtime.stop(0);
    await expect(arbitrations.finish(SESSION, ARBITRATION)).rejects.toThrow(RuntimeStopped);
    expect(await setting.types('arbitration')).toEqual([]);
  });
});
