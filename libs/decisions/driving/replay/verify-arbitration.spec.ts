import { describe, expect, it } from '@jest/globals';
import { givenUpEnd, type Outcome, type RunEnd, runtimeEventDefinitions } from '#lib/workflow';
import { arbitrationEnd, endBefore03 } from '#lib/decisions/arbitration';
import { ARBITRATION_ID as ARBITRATION, fails, play, returns } from '#lib/decisions/arbitration/testing';
import { recordedCalls } from '#lib/call-rules';
import {
  EventCodec,
  EventLog,
  type EventToStore,
  handleCommand,
  InMemoryEventStore,
  StreamNames,
} from '#lib/event-store';
import { derivedId, Fingerprints, isRejection, type JsonObject, jsonText, sha256 } from '#lib/kernel';
import { normalizeMachine } from '#lib/decisions/machines';
import {
  sessionDecider,
  type CloseArbitration,
  type SessionCommand,
  type SessionEvent,
  sessionEventDefinitions,
} from '#lib/decisions/session';
import { verifySession } from './verify-session.js';

const SESSION = '3c1a2b7e-0000-4000-8000-000000000001';
const OCCURRED = { occurredAt: '2026-01-02T03:04:05.678Z', actor: 'operator', correlationId: SESSION };
const names = new StreamNames();
const sessionStream = names.of('session', SESSION);
const arbitrationStream = names.of('arbitration', ARBITRATION);

const machine = normalizeMachine({
  machineName: 'support',
  initialState: 'triage',
  goalState: 'done',
  consensusThreshold: 0.5,
  states: { triage: { prompt: 'What next?', transitions: { refund: 'done' } }, done: {} },
});
const alignment = {
  rule: 'wilson',
  ruleVersion: 1,
  scores: [{ specialistId: 'clerk', specialistVersion: 1, score: 0.25 }],
};
const arbiter = { specialistId: 'judge', specialistVersion: 1, strategyFnName: 'majority', threshold: 0.9 };
const before: readonly SessionCommand[] = [
  { type: 'CreateSession', data: { sessionId: SESSION, roundId: 'r1', machine, metaJson: { ticket: 7 } } },
  {
    type: 'SubmitProposal',
    data: {
      sessionId: SESSION,
      proposalId: 'p1',
      specialistId: 'clerk',
      specialistVersion: 1,
      isHuman: false,
      transitionName: 'refund',
      reasoning: 'It broke.',
    },
  },
  {
    type: 'SubmitArbitration',
    data: {
      sessionId: SESSION,
      arbitrationId: ARBITRATION,
      nextRoundId: 'r2',
      isHuman: false,
      arbiter,
      alignment,
    },
  },
];
const force: SessionCommand = {
  type: 'SubmitArbitration',
  data: {
    sessionId: SESSION,
    arbitrationId: 'forced',
    nextRoundId: 'r-forced',
    specialistId: 'anna',
    specialistVersion: 1,
    isHuman: true,
    transitionName: 'refund',
    alignment,
  },
};

function openLog(): EventLog {
  const codec = new EventCodec([
    sessionEventDefinitions,
    runtimeEventDefinitions,
    ...recordedCalls.all.map(({ definitions }) => definitions),
  ]);
  return new EventLog(new InMemoryEventStore(), codec, names);
}

async function send(log: EventLog, command: SessionCommand): Promise<void> {
  const commandId = derivedId(SESSION, jsonText(command));
  const envelope = {
    ...OCCURRED,
    commandId,
    causationId: commandId,
    fingerprint: new Fingerprints('the key of the log').of(''),
  };
  const answer = await handleCommand(log, sessionDecider, sessionStream, command, envelope);
  if (isRejection(answer)) throw new Error(answer.message);
}

/** A session whose arbiter gave this answer. Events between the request and the answer may be given. */
async function arbitrated(
  script: readonly Outcome[],
  between: readonly SessionCommand[] = [],
): Promise<EventLog> {
  const log = openLog();
  for (const command of before) await send(log, command);
  const asking = await log.readStream<SessionEvent>(sessionStream);
  for (const command of between) await send(log, command);
  const policies = { maxAttempts: 2, callTimeoutMs: 1000, webhookTimeoutMs: 1000 };
  const { events, end } = play(asking, { policies, exemplars: [] }, script);
  for (const { eventId, type, data, metadata } of events)
    await log.append(arbitrationStream, 'any', [{ eventId, event: { type, data }, metadata }]);
  if (end) await close(log, arbitrationEnd(end));
  return log;
}

async function close(log: EventLog, result: CloseArbitration['data']['result']): Promise<void> {
  const closing = { sessionId: SESSION, arbitrationId: ARBITRATION, nextRoundId: 'r2' };
  await send(log, { type: 'CloseArbitration', data: { ...closing, result } });
}

/** A session whose arbitration an operator gave up, and which recorded this end. */
async function givenUp(resultOf: (end: RunEnd) => CloseArbitration['data']['result']): Promise<EventLog> {
  const log = await arbitrated([]);
  const [start] = await log.readStream(arbitrationStream);
  if (!start) throw new Error('The arbitration has not begun.');
  const event = { type: 'WorkflowGivenUp', data: {} };
  await log.append(arbitrationStream, 'any', [{ eventId: 'given-up', event, metadata: start.metadata }]);
  await close(log, resultOf(givenUpEnd()));
  return log;
}

const won = returns({ consensusReached: true, winningProposalId: 'p1', reasoning: 'Clear.' });

type Change = (data: JsonObject) => object;

/** A copy of the log in which the n-th event of a stream is changed, or left out. */
async function tampered(log: EventLog, stream: string, n: number, change?: Change): Promise<EventLog> {
  const copy = openLog();
  const all = await log.store.readAll({ limit: 100 });
  for (const event of all) {
    const hit = event.stream === stream && event.revision === n;
    if (hit && !change) continue;
    const data = hit && change ? jsonText(change(JSON.parse(event.data) as JsonObject)) : event.data;
    const { eventId, type, metadata } = event;
    const stored: EventToStore = { eventId, type, data, metadata };
    await copy.store.append(event.stream, 'any', [stored]);
  }
  return copy;
}

function reference({ context }: JsonObject): object {
  return context as object;
}

const verify = async (log: EventLog) => verifySession(log, SESSION);

describe('replay of a session that asked an arbiter', () => {
  it('derives the session, the arbitration and the context of the arbiter again', async () => {
    const log = await arbitrated([fails(), won]);
    expect(await verify(log)).toEqual({
      sessionId: SESSION,
      identical: true,
      streamsChecked: 2,
      eventsChecked: 9,
      eventsTaken: 4,
      open: 0,
      divergences: [],
    });
    const end = (await log.readStream(sessionStream)).map(({ type }) => type).slice(-2);
    expect(end).toEqual(['ConsensusReached', 'TransitionExecuted']);
  });

  it('uses the round at the request, without later events', async () => {
    const log = await arbitrated([won], [force]);
    expect(await verify(log)).toMatchObject({ identical: true, divergences: [] });
    expect((await log.readStream(sessionStream)).at(-1)).toMatchObject({
      type: 'VerdictSetAside',
      data: { reason: 'late' },
    });
  });

  it('finds an arbitration whose verdict has not come yet open', async () => {
    const log = await arbitrated([won]);
    const [, , requested] = await log.readStream(sessionStream);
    expect(requested?.type).toBe('ArbitrationRequested');
    const open = openLog();
    for (const { stream, eventId, type, data, metadata } of await log.store.readAll({ limit: 4 }))
      await open.store.append(stream, 'any', [{ eventId, type, data, metadata }]);
    expect(await verify(open)).toMatchObject({ identical: true, open: 1 });
  });

  it.each<[string, Change, string]>([
    [
      'another round',
      (data) => ({ ...data, context: { ...reference(data), revision: 1 } }),
      '/data/context/revision',
    ],
    ['another session', (data) => ({ ...data, owner: { stream: 's' } }), '/data/owner/stream'],
    [
      'invented proposals',
      (data) => ({ ...data, context: { ...reference(data), sha256: sha256('') } }),
      '/data/context/sha256',
    ],
    ['a member more', (data) => ({ ...data, note: 1 }), '/data/note'],
  ])('finds an arbitration that began with %s', async (_, change, pointer) => {
    const honest = await arbitrated([fails({ kind: 'function', retryable: false })]);
    const log = await tampered(honest, arbitrationStream, 0, change);
    expect((await verify(log))?.divergences).toEqual([
      expect.objectContaining({ stream: arbitrationStream, revision: 0, pointer }),
    ]);
  });

  it.each<[string, Change, string]>([
    ['another function', (data) => ({ ...data, fnName: 'x' }), '/data/fnName'],
    ['another round', (data) => ({ ...data, inputFrom: [{ context: '' }] }), '/data/inputFrom/0/context'],
    ['other words', (data) => ({ ...data, inputSha256: sha256('') }), '/data/inputSha256'],
  ])('finds a call of %s', async (_, change, pointer) => {
    const log = await tampered(await arbitrated([won]), arbitrationStream, 1, change);
    expect((await verify(log))?.divergences).toEqual([
      expect.objectContaining({ stream: arbitrationStream, revision: 1, pointer }),
    ]);
  });

  it('finds a verdict that is not what its session took, and a stream that is gone', async () => {
    const log = await arbitrated([won]);
    const changed = await tampered(log, arbitrationStream, 3, (data) => ({
      ...data,
      result: { verdict: null },
    }));
    expect((await verify(changed))?.divergences).toEqual([
      expect.objectContaining({ stream: arbitrationStream, revision: 3, pointer: '/data/result/verdict' }),
    ]);
    const cut = await tampered(log, arbitrationStream, 3);
    expect((await verify(cut))?.divergences).toEqual([
      expect.objectContaining({ stream: sessionStream, revision: 3, type: 'ConsensusReached' }),
    ]);
  });

  it.each([
    ['as it is recorded', arbitrationEnd],
    ['as releases before 0.3 recorded it', endBefore03],
  ])('0.2-O5: takes the end of an arbitration that was given up %s', async (_, resultOf) => {
    expect(await verify(await givenUp(resultOf))).toMatchObject({ identical: true, streamsChecked: 2 });
  });

  it('finds another failure in place of that of an arbitration that was given up', async () => {
    const log = await givenUp((end) => {
      const result = arbitrationEnd(end);
      return 'failure' in result ? { failure: { ...result.failure, kind: 'timeout' } } : result;
    });
    expect((await verify(log))?.divergences).toEqual([
      expect.objectContaining({ pointer: '/metadata/command/data/result/failure/kind' }),
    ]);
  });

  it('takes a damaged session for a divergence, never for a crash', async () => {
    const log = await tampered(await arbitrated([won]), sessionStream, 0, () => ({}));
    expect(await verify(log)).toMatchObject({ identical: false });
  });
});
