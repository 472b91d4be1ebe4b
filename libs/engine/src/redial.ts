import { Injectable } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ProposerFunctions } from '#lib/activities';
import { EventLog } from '#lib/event-store';
import { isRejection, randomIds, type RecordedEvent, type Rejection } from '#lib/kernel';
import {
  getMachine,
  getSession,
  getSpecialist,
  listLlmCalls,
  listLlmCallsOfSession,
  listProposals,
  listSessions,
  type LlmCallFilter,
  type LlmCallRecord,
  type MachineRecord,
  type Page,
  type PageRequest,
  type ProjectionName,
  type Rows,
  type SessionFilter,
  type SessionSummary,
  type SpecialistRecord,
  summarizeLlmCalls,
  type ModelSummary,
} from '#lib/projections';
import { type ReplayReport, verifyAll } from '#lib/replay';
import { type ProposalView, sessionRejections, type SessionView } from '#lib/session';
import { type SpecialistRegistration, unknownSpecialist } from '#lib/specialist';
import {
  type CreatedSession,
  CreateSessionCommand,
  type CreateSessionInput,
} from './commands/create-session.command.js';
import { type DefinedMachine, DefineMachineCommand } from './commands/define-machine.command.js';
import {
  ExecuteTransitionCommand,
  type ExecuteTransitionInput,
} from './commands/execute-transition.command.js';
import {
  type RegisteredSpecialist,
  RegisterSpecialistCommand,
} from './commands/register-specialist.command.js';
import { SetSpecialistEnabledCommand } from './commands/set-specialist-enabled.command.js';
import { SubmitProposalCommand, type SubmitProposalInput } from './commands/submit-proposal.command.js';
import { unknownMachine } from './machines/machine-catalog.js';
import { ReadModelsQuery } from './queries/read-models.query.js';
import { SessionAtQuery } from './queries/session-at.query.js';
import { SessionEventsQuery } from './queries/session-events.query.js';
import { VerifySessionQuery } from './queries/verify-session.query.js';
import { type ProposerRegistration, registerFunctions } from './specialists/register-functions.js';
import { callOf, type CallOptions } from './write-side/call.js';
import { RejectionError } from './write-side/rejection-error.js';

/** Reading as new as this position of the log, if the rows get there in time. */
export interface ReadOptions {
  readonly minPosition?: string;
}

/**
 * The engine for code: DIAL's names, each method one command or query. Refusals are thrown as `RejectionError`, a proposer
 * that gave no proposal as `ProposerFailed`. What this process has written, it reads.
 */
@Injectable()
export class Redial {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly functions: ProposerFunctions,
    private readonly log: EventLog,
  ) {}

  /** Defines a machine, or its next version where it has changed, and registers the specialists it declares. */
  async defineMachine(definition: unknown, options: CallOptions = {}): Promise<DefinedMachine> {
    const call = callOf('defineMachine', definition, options, randomIds);
    return (await this.commands.execute(new DefineMachineCommand(definition, call))).value;
  }

  /** @throws RejectionError when it is not defined */
  async getMachine(name: string, version?: number, options?: ReadOptions): Promise<MachineRecord> {
    const machine = await this.ask(['machines'], (db) => getMachine(db, name, version), options);
    return machine ?? refuse(unknownMachine(name, version));
  }

  /**
   * Registers a proposer. Functions are not in the log: a proposer with one is registered again after every start, and is given
   * back where the log knows the same one already.
   */
  async registerProposer(
    registration: ProposerRegistration,
    options: CallOptions = {},
  ): Promise<RegisteredSpecialist> {
    const hasFunction = registration.strategyFn !== undefined || registration.contextFn !== undefined;
    const named = registerFunctions(this.functions, registration);
    const call = callOf('registerProposer', named, options, randomIds);
    try {
      return (await this.commands.execute(new RegisterSpecialistCommand(named, call))).value;
    } catch (error) {
      if (!hasFunction) throw error;
      const there = await this.registeredAlike(named, error);
      if (!there) this.functions.unregister(named.specialistId);
      return there ?? Promise.reject(error);
    }
  }

  async registerArbiter(
    registration: Omit<SpecialistRegistration, 'role'>,
    options: CallOptions = {},
  ): Promise<SpecialistRecord> {
    const call = callOf('registerArbiter', registration, options, randomIds);
    const command = new RegisterSpecialistCommand({ ...registration, role: 'arbiter' }, call);
    return (await this.commands.execute(command)).value;
  }

  async enableSpecialist(specialistId: string, options: CallOptions = {}): Promise<SpecialistRecord> {
    const call = callOf('enableSpecialist', specialistId, options, randomIds);
    return (await this.commands.execute(new SetSpecialistEnabledCommand(specialistId, true, call))).value;
  }

  async disableSpecialist(specialistId: string, options: CallOptions = {}): Promise<SpecialistRecord> {
    const call = callOf('disableSpecialist', specialistId, options, randomIds);
    return (await this.commands.execute(new SetSpecialistEnabledCommand(specialistId, false, call))).value;
  }

  /** @throws RejectionError when nobody is registered under this id */
  async getSpecialist(specialistId: string, options?: ReadOptions): Promise<SpecialistRecord> {
    const specialist = await this.ask(['specialists'], (db) => getSpecialist(db, specialistId), options);
    return specialist ?? refuse(unknownSpecialist(specialistId));
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

  /** The events of a session and of its solicitations, in log order. */
  sessionEvents(
    sessionId: string,
    page: PageRequest & { readonly afterPosition?: string } = {},
    options?: ReadOptions,
  ): Promise<Page<RecordedEvent>> {
    return this.queries.execute(new SessionEventsQuery(sessionId, page, options?.minPosition));
  }

  /** Oldest first. */
  async llmCallsOfSession(sessionId: string, page?: PageRequest): Promise<Page<LlmCallRecord>> {
    return pageOrThrow(await this.ask(['llm_calls'], (db) => listLlmCallsOfSession(db, sessionId, page)));
  }

  /** Newest first. */
  async listLlmCalls(filter?: LlmCallFilter, page?: PageRequest): Promise<Page<LlmCallRecord>> {
    return pageOrThrow(await this.ask(['llm_calls'], (db) => listLlmCalls(db, filter, page)));
  }

  /** Calls, fallbacks, tokens and latency by model. */
  auditSummary(): Promise<readonly ModelSummary[]> {
    return this.ask(['llm_calls'], (db) => summarizeLlmCalls(db));
  }

  /** Replays a session from the log and compares, event by event. Writes nothing. */
  replaySession(sessionId: string): Promise<ReplayReport> {
    return this.queries.execute(new VerifySessionQuery(sessionId));
  }

  /** Replays every session of the log, in the order they were created. */
  replayAll(): AsyncGenerator<ReplayReport> {
    return verifyAll(this.log);
  }

  /** The specialist that is in the way of a registration, if it is of the same machine and mode. */
  private async registeredAlike(
    named: SpecialistRegistration,
    error: unknown,
  ): Promise<SpecialistRecord | undefined> {
    if (!(error instanceof RejectionError) || error.rejection.code !== 'specialist-exists') return undefined;
    const there = await this.getSpecialist(named.specialistId);
    const { machineName, strategyFnName, contextFnName, modelId }: Partial<SpecialistRegistration> = there;
    const same =
      machineName === named.machineName &&
      strategyFnName === named.strategyFnName &&
      contextFnName === named.contextFnName &&
      modelId === named.modelId;
    return same ? there : undefined;
  }

  private ask<Answer, Name extends ProjectionName>(
    projections: readonly Name[],
    question: (db: Rows<Name>) => Promise<Answer>,
    options?: ReadOptions,
  ): Promise<Answer> {
    return this.queries.execute(new ReadModelsQuery(projections, question, options?.minPosition));
  }
}

function refuse(rejection: Rejection): never {
  throw new RejectionError(rejection);
}

function pageOrThrow<Item>(page: Page<Item> | Rejection): Page<Item> {
  return isRejection(page) ? refuse(page) : page;
}
