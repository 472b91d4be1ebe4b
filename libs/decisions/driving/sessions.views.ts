import { Allow, IsBoolean, IsIn, IsNumber, IsObject, IsString } from 'class-validator';
import type { JsonObject } from '#lib/kernel';
import type { MachineDefinition as Definition } from '#lib/decisions/machines';
import {
  Describe,
  IsA,
  IsId,
  IsListOf,
  IsName,
  IsTime,
  IsWhole,
  Optional,
  ReplayReportBody,
  withAmounts,
} from '#lib/operations';
import { type SessionStatus, spendingMembers } from '#lib/decisions/session';
import { MachineDefinition } from '#lib/decisions/registration';

export const STATUSES: readonly SessionStatus[] = ['open', 'needs_human', 'done', 'closed'];

class TransitionRecord {
  @IsString() transitionName!: string;
  @IsString() fromState!: string;
  @IsString() toState!: string;
  @IsString() reasoning!: string;
  @Optional() @IsObject() metaJson?: JsonObject;
  @IsBoolean() isHuman!: boolean;

  @Describe('A specialist, `default`, `operator` or `timer`')
  @IsString()
  decidedBy!: string;

  @Optional() @IsId() proposalId?: string;
  @IsTime() executionTimestamp!: string;
}

/** A session in a list. */
export class SessionSummary {
  @IsId() sessionId!: string;
  @IsName() machineName!: string;
  @Optional() @IsWhole(1) machineVersion?: number;
  @IsString() machineHash!: string;
  @IsString() currentState!: string;
  @IsId() currentRoundId!: string;

  @Describe('`done`: at rest. `needs_human`: a person is waited for')
  @IsIn(STATUSES)
  status!: SessionStatus;

  @IsListOf(TransitionRecord) history!: readonly TransitionRecord[];
  @Optional() @IsObject() metaJson?: JsonObject;
  @IsTime() createdAt!: string;
  @IsTime() updatedAt!: string;

  @Describe("The revision of the session's stream")
  @IsWhole()
  revision!: number;
}

/** A session with its current round, as the doors show it. */
export class Session extends SessionSummary {
  @IsA(MachineDefinition) machine!: Definition;
}

/** A new session, with the tokens of the people that its machine declares. */
export class CreatedSession extends Session {
  @Describe(
    'For the humans that came along with the machine, by id: their tokens, given now and stored only as hashes',
  )
  @Optional()
  @Allow()
  actorTokens?: { readonly [specialistId: string]: string };
}

class QuorumView {
  @IsWhole() needed!: number;
  @IsWhole() present!: number;
}

/** How far the proposals of the current round agree. */
export class Consensus {
  @IsBoolean() consensusReached!: boolean;
  @Optional() @IsId() winningProposalId?: string;
  @IsString() reasoning!: string;
  @Optional() @IsNumber() margin?: number;
  @Optional() @IsNumber() threshold?: number;
  @IsA(QuorumView) quorum!: QuorumView;
}

/** The outcome of an arbitration. */
export class Arbitration extends withAmounts(
  spendingMembers,
  'as the caller gave it, else as the arbiter said or its calls took',
) {
  @IsId() arbitrationId!: string;
  @IsId() sessionId!: string;

  @Describe('The round that was meant')
  @IsString()
  roundId!: string;

  @Optional() @IsString() specialistId?: string;

  @Describe('The round that was meant is not the current one')
  @IsBoolean()
  stale!: boolean;

  @IsBoolean() guardsPass!: boolean;
  @IsString() guardReason!: string;
  @Optional() @IsId() winningProposalId?: string;
  @Optional() @IsString() transitionName?: string;
  @Optional() @IsString() toState?: string;
  @Optional() @IsString() reasoning?: string;

  @Describe('Whether a transition was executed by it')
  @IsBoolean()
  executed!: boolean;

  @IsBoolean() isHuman!: boolean;
  @Optional() @IsString() decidedBy?: string;
  @Optional() @IsObject() metaJson?: JsonObject;
}

class TickFailure {
  @IsString() kind!: string;
  @IsString() message!: string;
}

/** The step that a tick made. */
export class Tick {
  @IsId() sessionId!: string;
  @IsName() machineName!: string;

  @Describe('`failed`: the proposer that was asked gave no proposal')
  @IsIn(['solicited', 'advanced', 'needs_human', 'failed'])
  status!: 'solicited' | 'advanced' | 'needs_human' | 'failed';

  @IsString() currentState!: string;
  @Optional() @IsString() specialistId?: string;
  @Optional() @IsString() previousState?: string;
  @Optional() @IsString() transitionName?: string;
  @Optional() @IsString() reasoning?: string;
  @Optional() @IsA(TickFailure) failure?: TickFailure;
}

export class ReplayReport extends ReplayReportBody {
  @IsId() sessionId!: string;
}
