import { copiesOf, type EventLog, StreamHistory, upToBorder } from '#lib/event-store';
import { derivedId, type JsonObject, type RecordedEvent, reject, type Rejection } from '#lib/kernel';
import { authorOf, type CommandContext, type CommandWriter, refuse } from '#lib/operations/core';
import type { MachineCatalog } from '#lib/decisions/registration/core';
import {
  type ForkEffects,
  type ProposerOverrides,
  type Session,
  sessionDecider,
  type SessionEvent,
  type SessionView,
} from '#lib/decisions/session';
import { checkCallerInput } from '../check-caller-input.js';
import type { Participants } from '../drive/participants.js';
import { roundContext } from '../round-context.js';
import type { SessionReader } from '../session-reader.js';
import type { Arbitrations } from '../arbitrations/arbitrations.js';
import type { Solicitor } from '../solicitations/solicitor.js';

/** A fork as its caller asks for it. */
export interface ForkRequest {
  readonly sessionId: string;
  readonly atRevision: number;
  readonly overrides?: {
    readonly machine?: unknown;
    readonly metaJson?: JsonObject;
    readonly specialists?: { readonly [specialistId: string]: ProposerOverrides };
  };
  readonly effects?: ForkEffects;
  readonly reason?: string;
}

/** Forks sessions. Their parents are read, and nothing is written to them. */
export class Forks {
  constructor(
    private readonly log: EventLog,
    private readonly writer: CommandWriter,
    private readonly machines: MachineCatalog,
    private readonly participants: Participants,
    private readonly sessions: SessionReader,
    private readonly solicitor: Solicitor,
    private readonly arbitrations: Arbitrations,
  ) {}

  /** One append: a fork is there whole, or not at all. @throws RejectionError @throws AppendTooLarge */
  async ofSession(request: ForkRequest, context: CommandContext): Promise<SessionView> {
    const { atRevision, effects = 'hold', reason, overrides: { machine, ...overrides } = {} } = request;
    checkCallerInput(overrides);
    const sessionId = derivedId(context.commandId, 'session');
    const target = { category: 'session', id: sessionId } as const;
    const made = await this.writer.forkedBefore(target, context);
    if (made !== undefined) return this.sessions.at(sessionId, made);
    const name = { id: sessionId, stream: this.log.streams.of('session', sessionId), by: authorOf(context) };
    const parent = this.log.streams.of('session', request.sessionId);
    const { events } = await this.log.load<SessionEvent>(parent);
    const before = orRefused(
      upToBorder<RecordedEvent<SessionEvent>>(events, atRevision, `session-${request.sessionId}`, ofCommands),
    );
    const from = this.log.streams.withoutPrefix(parent);
    const copies = new StreamHistory(
      copiesOf<SessionEvent>(before, from, { ...name, ...(reason !== undefined && { reason }) }, (data) => ({
        ...data,
        sessionId,
      })),
    );
    const { session } = roundContext(copies, sessionId);
    await this.#checkSpecialists(overrides.specialists ?? {}, session);
    const { chosen } =
      machine === undefined ? {} : await this.machines.choose({ machine }, context, '/overrides/machine');
    const data = { sessionId, effects, ...(chosen && { machine: chosen.machine }), ...overrides };
    const revision = await this.writer.fork(
      sessionDecider,
      target,
      copies,
      { type: 'ForkSession', data },
      context,
    );
    this.#begin(sessionId, (await this.log.load<SessionEvent>(name.stream)).state(sessionDecider));
    return this.sessions.at(sessionId, revision);
  }

  /** Begins the runs that are asked for again. Recovery begins those that this process cannot. */
  #begin(sessionId: string, session: Session | null): void {
    const begun = [
      ...(session?.solicitations ?? []).map((one) => this.solicitor.finish(sessionId, one.solicitationId)),
      ...(session?.arbitrations ?? []).map((one) => this.arbitrations.finish(sessionId, one.arbitrationId)),
    ];
    void Promise.allSettled(begun);
  }

  async #checkSpecialists(overrides: object, session: Session): Promise<void> {
    const { registered } = await this.participants.of(session);
    for (const specialistId of Object.keys(overrides)) {
      const found = registered.find((one) => one.specialistId === specialistId);
      if (found?.modelId === undefined) refuse(notOfModel(specialistId, found !== undefined));
    }
  }
}

/** A state between two events of one append was never there. */
const ofCommands = {
  isBorder: ({ metadata }: RecordedEvent, next: RecordedEvent | undefined) =>
    metadata.commandId === undefined || metadata.commandId !== next?.metadata.commandId,
  why: 'other events of the same command follow it',
};

function orRefused<Found extends object>(found: Found | Rejection): Found {
  return 'rejected' in found ? refuse(found) : found;
}

function notOfModel(specialistId: string, isKnown: boolean): Rejection {
  return reject('refused', 'wrong-specialist', {
    what: `the override of specialist ${specialistId}`,
    why: isKnown ? 'no model decides for it' : 'the session has none of this id',
    fix: 'Name a proposer that a model decides for',
  });
}
