import { Injectable } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { EventLog } from '#lib/event-store';
import { randomIds, type RecordedEvent } from '#lib/kernel';
import {
  callOf,
  type CallOptions,
  Dispatcher,
  type Facade,
  facadeOf,
  pageOrThrow,
  type ReadOptions,
  refuse,
} from '#lib/operations';
import {
  getSession,
  listLlmCalls,
  listLlmCallsOfSession,
  listWebhookCallsOfSession,
  type WebhookCallRecord,
  listProposals,
  listSessions,
  type LlmCallFilter,
  type LlmCallRecord,
  pageWithBodies,
  type Page,
  type PageRequest,
  type ProjectionName,
  type Rows,
  type SessionFilter,
  type SessionSummary,
} from '#lib/projections';
import { type ReplayReport, verifyAll } from '#lib/replay';
import {
  type ArbitrationResult,
  type ConsensusView,
  type ProposalView,
  sessionRejections,
  type SessionView,
} from '#lib/session';
import {
  type CreatedSession,
  CreateSessionCommand,
  type CreateSessionInput,
} from './commands/create-session.command.js';
import {
  ExecuteTransitionCommand,
  type ExecuteTransitionInput,
} from './commands/execute-transition.command.js';
import { RunSessionCommand } from './commands/run-session.command.js';
import {
  type DecisionInput,
  SubmitArbitrationCommand,
  type SubmitArbitrationInput,
} from './commands/submit-arbitration.command.js';
import { SubmitProposalCommand, type SubmitProposalInput } from './commands/submit-proposal.command.js';
import { TickAllCommand } from './commands/tick-all.command.js';
import { TickSessionCommand } from './commands/tick-session.command.js';
import { type Declared, operations } from './declared-operations.js';
import type { TickResult } from './process-manager/tick-result.js';
import { ConsensusQuery } from './queries/consensus.query.js';
import { SessionAtQuery } from './queries/session-at.query.js';
import { SessionEventsQuery } from './queries/session-events.query.js';
import { VerifySessionQuery } from './queries/verify-session.query.js';
import { askRows } from './read-side/ask-rows.js';
import { Registrar } from './specialists/registrar.js';
import type { ArbiterRegistration, ProposerRegistration } from './specialists/register-functions.js';
import type { RegisteredSpecialist } from './specialists/specialists.views.js';

/**
 * The engine for code: DIAL's names, each method one command or query. Refusals are thrown as `RejectionError`, a proposer
 * that gave no proposal as `ProposerFailed`. What this process has written, it reads.
 */
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging -- the constructor adds the methods
export interface Redial extends Facade<Declared> {}

@Injectable()
export class Redial {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly registrar: Registrar,
    private readonly log: EventLog,
    /** Executes declared operations, as every door does. */
    readonly dispatcher: Dispatcher,
  ) {
    Object.assign(this, facadeOf(dispatcher, operations));
  }

  /**
   * Registers a proposer, as `registerSpecialist` does, with functions in place of names. Functions are not in the log: a proposer
   * with one is registered again after every start.
   */
  registerProposer(
    registration: ProposerRegistration,
    options: CallOptions = {},
  ): Promise<RegisteredSpecialist> {
    return this.registrar.registerProposer(registration, options);
  }

  /** Registers an arbiter, as `registerProposer` does a proposer. */
  registerArbiter(
    registration: ArbiterRegistration,
    options: CallOptions = {},
  ): Promise<RegisteredSpecialist> {
    return this.registrar.registerArbiter(registration, options);
  }

  async createSession(input: CreateSessionInput, options: CallOptions = {}): Promise<CreatedSession> {
    const call = callOf('createSession', input, options, randomIds);
    return (await this.commands.execute(new CreateSessionCommand(input, call))).value;
  }

  /** @throws RejectionError when there is no such session */
  async getSession(sessionId: string, options?: ReadOptions): Promise<SessionView> {
    const session = await this.ask(['sessions'], (db) => getSession(db, sessionId), options);
    return session ?? refuse(sessionRejections.unknownSession(sessionId));
  }

  /** Newest first. */
  async listSessions(
    filter?: SessionFilter,
    page?: PageRequest,
    options?: ReadOptions,
  ): Promise<Page<SessionSummary>> {
    return pageOrThrow(await this.ask(['sessions'], (db) => listSessions(db, filter, page), options));
  }

  /** The session as it was right after a revision of its stream. */
  sessionAt(sessionId: string, revision: number): Promise<SessionView> {
    return this.queries.execute(new SessionAtQuery(sessionId, revision));
  }

  /**
   * A proposal: stated outright with `transitionName`, or asked of the specialist, whose model is called then.
   * @throws RejectionError | ProposerFailed
   */
  async submitProposal(input: SubmitProposalInput, options: CallOptions = {}): Promise<ProposalView> {
    const call = callOf('submitProposal', input, options, randomIds);
    return (await this.commands.execute(new SubmitProposalCommand(input, call))).value;
  }

  /** In the order they arrived. */
  async listProposals(sessionId: string, roundId?: string, page?: PageRequest): Promise<Page<ProposalView>> {
    const filter = { sessionId, ...(roundId !== undefined && { roundId }) };
    return pageOrThrow(await this.ask(['proposals'], (db) => listProposals(db, filter, page)));
  }

  async executeTransition(input: ExecuteTransitionInput, options: CallOptions = {}): Promise<SessionView> {
    const call = callOf('executeTransition', input, options, randomIds);
    return (await this.commands.execute(new ExecuteTransitionCommand(input, call))).value;
  }

  /** What the arbiter says of the current round as it is. Nothing is written. @throws RejectionError where there is none */
  evaluateConsensus(sessionId: string, options?: ReadOptions): Promise<ConsensusView> {
    return this.queries.execute(new ConsensusQuery(sessionId, options?.minPosition));
  }

  /**
   * Has the current round decided: by its arbiter, or, with `transitionName`, by the human specialist who forces it. What a
   * guard holds back is an answer too: `guardsPass` false, and why.
   * @throws RejectionError | ArbiterFailed
   */
  async submitArbitration(
    input: SubmitArbitrationInput,
    options: CallOptions = {},
  ): Promise<ArbitrationResult> {
    const call = callOf('submitArbitration', input, options, randomIds);
    return (await this.commands.execute(new SubmitArbitrationCommand(input, call))).value;
  }

  /**
   * A person decides the current round, whatever was proposed.
   * @throws RejectionError with the code `not-decided` where a guard refuses it: the round is over, the caller is no person, or the
   * state offers no such transition
   */
  async decide(input: DecisionInput, options: CallOptions = {}): Promise<ArbitrationResult> {
    const result = await this.submitArbitration(input, options);
    return result.executed ? result : refuse(sessionRejections.notDecided(result));
  }

  /** One step of a session, `null` when it is at rest. Somebody is asked, the round is decided, or a person is needed. */
  async tickSession(sessionId: string, options: CallOptions = {}): Promise<TickResult | null> {
    const call = callOf('tickSession', sessionId, options, randomIds);
    return (await this.commands.execute(new TickSessionCommand(sessionId, call))).value;
  }

  /** One step of every session that is not at rest. */
  async tick(options: CallOptions = {}): Promise<readonly TickResult[]> {
    const call = callOf('tick', null, options, randomIds);
    return (await this.commands.execute(new TickAllCommand(call))).value;
  }

  /**
   * Starts a session and steps until it is at rest or needs a person. A machine without a proposer gets one that takes the first
   * transition, one without an arbiter gets one that takes the first proposal.
   */
  async runSession(
    input: CreateSessionInput & { readonly maxTicks?: number },
    options: CallOptions = {},
  ): Promise<SessionView> {
    const { maxTicks, ...started } = input;
    const { sessionId } = await this.createSession(started, options);
    return this.driveSession(sessionId, maxTicks, options);
  }

  /** As `runSession`, for a session that is there. */
  async driveSession(sessionId: string, maxTicks?: number, options: CallOptions = {}): Promise<SessionView> {
    const input = { sessionId, ...(maxTicks !== undefined && { maxTicks }) };
    const call = callOf('driveSession', input, options, randomIds);
    return (await this.commands.execute(new RunSessionCommand(input, call))).value;
  }

  /** The events of a session and of its solicitations, in log order. */
  sessionEvents(
    sessionId: string,
    page: PageRequest & { readonly afterPosition?: string } = {},
    options?: ReadOptions,
  ): Promise<Page<RecordedEvent>> {
    return this.queries.execute(new SessionEventsQuery(sessionId, page, options?.minPosition));
  }

  /** The calls of webhooks in a session, of proposers and of arbiters, oldest first. */
  async webhookCallsOfSession(sessionId: string, page?: PageRequest): Promise<Page<WebhookCallRecord>> {
    return pageOrThrow(
      await this.ask(['webhook_calls'], (db) => listWebhookCallsOfSession(db, sessionId, page)),
    );
  }

  /** Oldest first. */
  async llmCallsOfSession(sessionId: string, page?: PageRequest): Promise<Page<LlmCallRecord>> {
    const calls = await this.ask(['llm_calls'], (db) => listLlmCallsOfSession(db, sessionId, page));
    return pageWithBodies(this.log, pageOrThrow(calls));
  }

  /** Newest first. */
  async listLlmCalls(filter?: LlmCallFilter, page?: PageRequest): Promise<Page<LlmCallRecord>> {
    const calls = await this.ask(['llm_calls'], (db) => listLlmCalls(db, filter, page));
    return pageWithBodies(this.log, pageOrThrow(calls));
  }

  /** Replays a session from the log and compares, event by event. Writes nothing. */
  replaySession(sessionId: string): Promise<ReplayReport> {
    return this.queries.execute(new VerifySessionQuery(sessionId));
  }

  /** Replays every session of the log, in the order they were created. */
  replayAll(): AsyncGenerator<ReplayReport> {
    return verifyAll(this.log);
  }

  private ask<Answer, Name extends ProjectionName>(
    projections: readonly Name[],
    question: (db: Rows<Name>) => Promise<Answer>,
    options?: ReadOptions,
  ): Promise<Answer> {
    return askRows(this.queries, projections, question, options);
  }
}
