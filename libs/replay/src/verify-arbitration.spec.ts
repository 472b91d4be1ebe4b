import { describe, expect, it } from '@jest/globals';
import {
  arbitration,
  ARBITRATION_VERSION,
  arbitrationEnd,
  type ArbitrationEvent,
  arbitrationEventDefinitions,
  arbitrationStart,
} from '#lib/arbitration';
import { fails, returns } from '#lib/arbitration/testing';
import {
  EventCodec,
  EventLog,
  type EventToStore,
  handleCommand,
  InMemoryEventStore,
  StreamNames,
} from '#lib/event-store';
import { derivedId, fold, isRejection, jsonText, sha256 } from '#lib/kernel';
import { normalizeMachine } from '#lib/machine';
import {
  sessionDecider,
  type SessionCommand,
  type SessionEvent,
  sessionEventDefinitions,
} from '#lib/session';
import { playScript, type ScriptedOutcome } from '#lib/legacy-workflow/testing';
import { verifySession } from './verify-session.js';

const SESSION = '3c1a2b7e-0000-4000-8000-000000000001';
const ARBITRATION = '3c1a2b7e-0000-4000-8000-000000000002';
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
  const codec = new EventCodec([sessionEventDefinitions, arbitrationEventDefinitions]);
  return new EventLog(new InMemoryEventStore(), codec, names);
}

async function send(log: EventLog, command: SessionCommand): Promise<void> {
  const commandId = derivedId(SESSION, jsonText(command));
  const envelope = { ...OCCURRED, commandId, causationId: commandId, fingerprint: sha256('') };
  const answer = await handleCommand(log, sessionDecider, sessionStream, command, envelope);
  if (isRejection(answer)) throw new Error(answer.message);
}

/** A session that asked an arbiter, which said this; what came between the question and the answer may be given. */
async function arbitrated(
  script: readonly ScriptedOutcome<ArbitrationEvent>[],
  between: readonly SessionCommand[] = [],
): Promise<EventLog> {
  const log = openLog();
  for (const command of before) await send(log, command);
  const history = await log.readStream<SessionEvent>(sessionStream);
  const session = fold(sessionDecider, history);
  const requested = history.at(-1);
  if (!session || requested?.type !== 'ArbitrationRequested') throw new Error('No arbiter was asked.');
  for (const command of between) await send(log, command);
  const policies = { maxAttempts: 2, callTimeoutMs: 1000 };
  const start = arbitrationStart(session, requested.data, { workflowVersion: ARBITRATION_VERSION, policies });
  const events = playScript(arbitration, start, script);
  const metadata = { ...OCCURRED, commandId: 'c', causationId: 'c' };
  for (const [index, event] of events.entries())
    await log.append(arbitrationStream, 'any', [{ eventId: `e-${index}`, event, metadata }]);
  const result = arbitrationEnd(events.at(-1) as ArbitrationEvent);
  if (result)
    await send(log, {
      type: 'CloseArbitration',
      data: { sessionId: SESSION, arbitrationId: ARBITRATION, nextRoundId: 'r2', result },
    });
  return log;
}

const won = returns({ consensusReached: true, winningProposalId: 'p1', reasoning: 'Clear.' });

type Change = (data: { readonly context: object }) => object;

/** A copy of the log in which the n-th event of a stream says something else, or is gone. */
async function tampered(log: EventLog, stream: string, n: number, change?: Change): Promise<EventLog> {
  const copy = openLog();
  const all = await log.store.readAll({ limit: 100 });
  for (const event of all) {
    const hit = event.stream === stream && event.revision === n;
    if (hit && !change) continue;
    const data = hit && change ? jsonText(change(JSON.parse(event.data) as { context: object })) : event.data;
    const { eventId, type, metadata } = event;
    const stored: EventToStore = { eventId, type, data, metadata };
    await copy.store.append(event.stream, 'any', [stored]);
  }
  return copy;
}

const verify = async (log: EventLog) => verifySession(log, SESSION);

describe('replay of a session that asked an arbiter', () => {
  it('derives everything again: the session, the arbitration, and what the arbiter was told', async () => {
    const log = await arbitrated([fails(), won]);
    expect(await verify(log)).toEqual({
      sessionId: SESSION,
      identical: true,
      streamsChecked: 2,
      eventsChecked: 8,
      eventsTaken: 3,
      open: 0,
      divergences: [],
    });
    const end = (await log.readStream(sessionStream)).map(({ type }) => type).slice(-2);
    expect(end).toEqual(['ConsensusReached', 'TransitionExecuted']);
  });

  it('holds the arbiter to the round as it was when it was asked, whatever came after that', async () => {
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

  it.each<[string, Change, string, number?]>([
    ['another round', (data) => ({ ...data, roundId: 'r0' }), '/data/roundId'],
    ['another session', (data) => ({ ...data, sessionId: 's' }), '/data/sessionId'],
    ['another arbiter', (data) => ({ ...data, arbiterId: 'x' }), '/data/arbiterId'],
    [
      'another function',
      (data) => ({ ...data, arbiter: { kind: 'function', strategyFnName: 'x' } }),
      '/data/strategyFnName',
      1,
    ],
    [
      'proposals that nobody made',
      (data) => ({ ...data, context: { ...data.context, proposals: [] } }),
      '/data/context/proposals/0',
    ],
    [
      'another alignment',
      (data) => ({ ...data, context: { ...data.context, alignment: { clerk: 1 } } }),
      '/data/context/alignment/clerk',
    ],
    [
      'another threshold',
      (data) => ({ ...data, context: { ...data.context, threshold: 0.9 } }),
      '/data/context/threshold',
    ],
    ['a member more', (data) => ({ ...data, note: 1 }), '/data/note'],
  ])('finds an arbitration that began with %s', async (_, change, pointer, revision = 0) => {
    // A function sees the context of the start alone: nothing later in the stream contradicts that.
    const honest = await arbitrated([fails({ kind: 'function', retryable: false })]);
    const log = await tampered(honest, arbitrationStream, 0, change);
    expect((await verify(log))?.divergences).toEqual([
      expect.objectContaining({ stream: arbitrationStream, revision, pointer }),
    ]);
  });

  it('finds a verdict that is not what its session took, and a stream that is gone', async () => {
    const log = await arbitrated([won]);
    const changed = await tampered(log, arbitrationStream, 3, (data) => ({ ...data, reasoning: 'No.' }));
    expect((await verify(changed))?.divergences).toEqual([
      expect.objectContaining({ stream: arbitrationStream, revision: 3, pointer: '/data/reasoning' }),
    ]);
    const cut = await tampered(log, arbitrationStream, 3);
    expect((await verify(cut))?.divergences).toEqual([
      expect.objectContaining({ stream: sessionStream, revision: 3, type: 'ConsensusReached' }),
    ]);
  });

  it('takes a damaged session for a divergence, never for a crash', async () => {
    const log = await tampered(await arbitrated([won]), sessionStream, 0, () => ({}));
    expect(await verify(log)).toMatchObject({ identical: false });
  });
});
