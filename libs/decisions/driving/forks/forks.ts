import { copiesOf, type EventLog, StreamHistory, upToBorder } from '#lib/event-store';
import {
  derivedId,
  escapePointerToken,
  fold,
  isRejection,
  type JsonObject,
  ownMember,
  present,
  type RecordedEvent,
  refusedAt,
  reject,
  type Rejection,
} from '#lib/kernel';
import {
  authorOf,
  type CommandContext,
  type CommandWriter,
  orRefused,
  personOf,
  refuse,
  type Subjects,
} from '#lib/operations/core';
import { type MachineCatalog, overrideRefusal, readUnproved } from '#lib/decisions/registration/core';
import {
  type ForkEffects,
  type LackingSpecialist,
  namedSpecialists,
  type ProposerOverrides,
  type Session,
  type SessionCommand,
  sessionDecider,
  type SessionEvent,
  sessionRejections,
  type SessionView,
} from '#lib/decisions/session';
import type { MachineSpecialist } from '#lib/read-models';
import { specialistBody } from '#lib/decisions/specialists';
import { hasOwnSpecialists } from '#lib/decisions/machines';
import type { Participants } from '../drive/participants.js';
import { checkCallerInput, roundContext } from '../round-context.js';
import type { SessionReader } from '../session-reader.js';
import type { Arbitrations } from '../arbitrations/arbitrations.js';
import type { Solicitor } from '../solicitations/solicitor.js';

import type { Facts } from '../solicitations/facts.js';
import type { ProposerCheck } from '../solicitations/proposer-mode.js';

/** Checks, before a fork is recorded, the models of the proposers that it asks again. */
export class CallableModels {
  constructor(
    private readonly facts: Facts,
    private readonly proposers: ProposerCheck,
  ) {}

  /**
   * @param session after the copied events
   * @throws RejectionError if this process cannot call one of the models
   */
  async check(session: Session, command: SessionCommand): Promise<void> {
    const events = sessionDecider.decide(command, session);
    if (isRejection(events)) return;
    const forked = fold(sessionDecider, events, session);
    for (const { type, data } of events) {
      if (type !== 'ProposalSolicited' || !forked) continue;
      this.proposers.checkModels(await this.facts.executionOf(data, forked));
    }
  }
}

type SpecialistOverrides = { readonly [specialistId: string]: ProposerOverrides };

interface ForkRequest {
  readonly sessionId: string;
  readonly atRevision: number;
  readonly overrides?: {
    readonly machine?: unknown;
    readonly metaJson?: JsonObject;
    readonly specialists?: SpecialistOverrides;
  };
  readonly effects?: ForkEffects;
  readonly reason?: string;
}

/** The session of a history file. */
interface RecordedSession extends ForkRequest {
  /** The read-only log of the session. */
  readonly log: EventLog;
}

/** Forks sessions. Their parents are only read. */
export class Forks {
  constructor(
    private readonly log: EventLog,
    private readonly writer: CommandWriter,
    private readonly machines: MachineCatalog,
    private readonly participants: Participants,
    private readonly sessions: SessionReader,
    private readonly solicitor: Solicitor,
    private readonly arbitrations: Arbitrations,
    private readonly subjects: Subjects,
    private readonly callable: CallableModels,
  ) {}

  async ofSession(request: ForkRequest, context: CommandContext): Promise<SessionView> {
    return (await this.made(context)) ?? this.#fork(request, this.log, context);
  }

  /**
   * Forks a session of another log. Its subject gets a key here, if it has none; its machines must be ones that a session here may
   * have: rows and rounds rely on the bounds of definitions.
   */
  async ofRecorded({ log, ...request }: RecordedSession, context: CommandContext): Promise<SessionView> {
    const { events } = await log.load<SessionEvent>(log.streams.of('session', request.sessionId));
    for (const { data } of events) if ('machine' in data) readUnproved(data.machine, '/machine');
    await this.subjects.begin(events[0]?.metadata.keyId, context);
    return this.#fork(request, log, context);
  }

  /** The fork that this call made before. @throws RejectionError if its key was used with another input */
  async made(context: CommandContext): Promise<SessionView | undefined> {
    const { sessionId, target } = forkOf(context);
    const made = await this.writer.forkedBefore(target, context);
    return made === undefined ? undefined : this.sessions.at(sessionId, made);
  }

  /**
   * Writes the fork in one append.
   * @param from the log of the session
   * @throws RejectionError @throws AppendTooLarge
   */
  async #fork(request: ForkRequest, from: EventLog, context: CommandContext): Promise<SessionView> {
    const { atRevision, effects = 'hold', reason, overrides: { machine, ...overrides } = {} } = request;
    checkCallerInput(overrides);
    const { sessionId, target } = forkOf(context);
    const name = { id: sessionId, stream: this.log.streams.of('session', sessionId), by: authorOf(context) };
    const parent = from.streams.of('session', request.sessionId);
    const { events } = await from.load<SessionEvent>(parent);
    if (events.length === 0) refuse(sessionRejections.unknownSession(request.sessionId));
    const before = orRefused(
      upToBorder<RecordedEvent<SessionEvent>>(events, atRevision, `session-${request.sessionId}`, ofCommands),
    );
    const stream = from.streams.withoutPrefix(parent);
    const copies = new StreamHistory(
      copiesOf<SessionEvent>(
        before,
        stream,
        { ...name, ...(reason !== undefined && { reason }) },
        (data) => ({
          ...data,
          sessionId,
        }),
      ),
    );
    const { session } = roundContext(copies, sessionId);
    const { chosen } =
      machine === undefined ? {} : await this.machines.choose({ machine }, context, '/overrides/machine');
    const foreign = from === this.log ? undefined : events;
    const own = await this.#specialists(session, overrides.specialists, chosen?.machine, foreign);
    const by = personOf(context);
    const person = by !== undefined && { by };
    const data = { sessionId, effects, ...person, freshRound: true as const, ...overrides, ...own };
    const command = { type: 'ForkSession', data } as const;
    await this.callable.check(session, command);
    const revision = await this.writer.fork(sessionDecider, target, copies, command, context);
    this.#begin(sessionId, (await this.log.load<SessionEvent>(name.stream)).state(sessionDecider));
    return this.sessions.at(sessionId, revision);
  }

  /** @param foreign the events of the session, if it is of another log @throws RejectionError for overrides that fit no specialist */
  async #specialists(
    session: Session,
    overrides: SpecialistOverrides | undefined,
    chosen: Session['machine'] | undefined,
    foreign: readonly RecordedEvent<SessionEvent>[] | undefined,
  ) {
    const machine = foreign ? machineOfFork(session, chosen) : chosen;
    const { machineVersion: _, ...unversioned } = session;
    const { registered } = await this.participants.of(
      foreign && machine ? { ...unversioned, machine } : session,
    );
    const lacks = lacksOf(foreign, registered, chosen);
    const missing = lacks ?? session.fork?.lacks ?? [];
    const earlier = overridesOf(session.fork?.specialists ?? {}, missing);
    const specialists = overrides && withEarlier(overrides, earlier);
    checkSpecialists(specialists ?? {}, registered, missing, { earlier, machineName: session.machineName });
    return present({ machine, lacks, specialists });
  }

  /** Begins the runs of repeated requests. Recovery begins those that this process cannot. */
  #begin(sessionId: string, session: Session | null): void {
    const begun = [
      ...(session?.solicitations ?? []).map((one) => this.solicitor.finish(sessionId, one.solicitationId)),
      ...(session?.arbitrations ?? []).map((one) => this.arbitrations.finish(sessionId, one.arbitrationId)),
    ];
    void Promise.allSettled(begun);
  }
}

function overridesOf(
  overrides: SpecialistOverrides,
  lacks: readonly LackingSpecialist[],
): SpecialistOverrides {
  const isLacking = (id: string) => lacks.some(({ specialistId }) => specialistId === id);
  return Object.fromEntries(Object.entries(overrides).filter(([id]) => isLacking(id)));
}

/** In a fork of a fork, overrides of a lacking proposer are merged into those of the first fork: its registration stays whole. */
function withEarlier(overrides: SpecialistOverrides, earlier: SpecialistOverrides): SpecialistOverrides {
  const all = Object.entries(overrides);
  return Object.fromEntries(all.map(([id, given]) => [id, { ...ownMember(earlier, id), ...given }]));
}

/** The override of a lacking proposer must be a whole registration: this log has no other. @throws RejectionError */
function checkSpecialists(
  overrides: SpecialistOverrides,
  registered: readonly MachineSpecialist[],
  lacks: readonly LackingSpecialist[],
  { earlier, machineName }: { readonly earlier: SpecialistOverrides; readonly machineName: string },
): void {
  for (const [specialistId, given] of Object.entries(overrides)) {
    const path = `/overrides/specialists/${escapePointerToken(specialistId)}`;
    const found = registered.find((one) => one.specialistId === specialistId);
    const lacking = lacks.find((one) => one.specialistId === specialistId);
    const isOwn = ownMember(earlier, specialistId) !== undefined;
    if (found?.modelId === undefined || isOwn) {
      if (lacking?.role !== 'proposer' || (found && !isOwn))
        refuse(refusedAt(path, notOfModel(specialistId, found !== undefined)));
      const body = specialistBody({ ...given, ...lacking, machineName });
      if (isRejection(body)) refuse(refusedAt(path, body));
    }
    const refusal = overrideRefusal(`the override of specialist ${specialistId}`, given, path);
    if (refusal) refuse(refusal);
  }
}

/**
 * The specialists of another log's session that are not in this log; `undefined` for a session of this log.
 * @param chosen the fork's machine: if it declares specialists, these replace all others
 */
function lacksOf(
  foreign: readonly RecordedEvent<SessionEvent>[] | undefined,
  registered: readonly MachineSpecialist[],
  chosen: Session['machine'] | undefined,
): readonly LackingSpecialist[] | undefined {
  if (chosen && hasOwnSpecialists(chosen)) return [];
  const known = registered.map(({ specialistId }) => specialistId);
  return foreign && namedSpecialists(foreign).filter(({ specialistId }) => !known.includes(specialistId));
}

function forkOf(context: CommandContext) {
  const sessionId = derivedId(context.commandId, 'session');
  return { sessionId, target: { category: 'session', id: sessionId } } as const;
}

/** No state exists between two events of one append. */
const ofCommands = {
  isBorder: ({ metadata }: RecordedEvent, next: RecordedEvent | undefined) =>
    metadata.commandId === undefined || metadata.commandId !== next?.metadata.commandId,
  why: 'other events of the same command follow it',
};

/** The machine of another log's session, whose versions are not in this log: it declares its specialists itself. */
function machineOfFork({ machine }: Session, chosen = machine): Session['machine'] | undefined {
  const { specialists } = machine;
  const declares = hasOwnSpecialists(chosen) ? chosen : { ...chosen, ...(specialists && { specialists }) };
  return hasOwnSpecialists(declares) || chosen !== machine ? declares : undefined;
}

function notOfModel(specialistId: string, isKnown: boolean): Rejection {
  return reject('refused', 'wrong-specialist', {
    what: `the override of specialist ${specialistId}`,
    why: isKnown ? 'no model decides for it' : 'the session has none of this id',
    fix: 'Name a proposer that a model decides for',
  });
}
