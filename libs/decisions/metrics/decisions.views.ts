import { IsArray, IsBoolean, IsIn, IsNumber, IsObject, IsString } from 'class-validator';
import type { JsonObject } from '#lib/kernel';
import type { TransitionDefinition } from '#lib/decisions/machines';
import {
  Describe,
  IsA,
  IsId,
  IsListOf,
  IsName,
  IsTime,
  IsWhole,
  Optional,
  OrNull,
  withAmounts,
} from '#lib/operations';
import { AwaitView } from '#lib/runs/runs';
import {
  type HumanInputReason,
  type OpenProposal,
  type ProposalStatus,
  type ProposerContext,
  spendingMembers,
} from '#lib/decisions/session';

const REASONS: readonly HumanInputReason[] = [
  'no-proposals',
  'no-arbiter',
  'no-consensus',
  'no-quorum',
  'arbiter-failed',
  'cannot-ask',
  'spot-check',
  'needs-person',
  'timer-limit',
];
const STATUSES: readonly ProposalStatus[] = ['open', 'won', 'lost', 'late'];
export const HOW = ['consensus', 'override', 'operator', 'timer'] as const;

class ProposalRef {
  @IsId() proposalId!: string;
  @IsName() specialistId!: string;
  @IsWhole(1) specialistVersion!: number;
  @IsBoolean() isHuman!: boolean;
  @IsString() transitionName!: string;
}

class KnownScore {
  @IsName() specialistId!: string;
  @IsWhole(1) specialistVersion!: number;
  @IsNumber() score!: number;
  @Optional() @IsWhole() comparisons?: number;
}

class KnownAlignment {
  @IsString() rule!: string;
  @IsWhole(1) ruleVersion!: number;
  @Optional() @IsString() position?: string;
  @IsListOf(KnownScore) scores!: readonly KnownScore[];
}

export class Decision {
  @IsId() sessionId!: string;
  @IsName() machineName!: string;

  @Describe("The revision of the transition in the session's stream")
  @IsWhole()
  revision!: number;

  @Describe('The position of the transition in the log')
  @IsString()
  position!: string;

  @IsString() roundId!: string;
  @IsString() fromState!: string;
  @IsString() toState!: string;
  @IsString() transitionName!: string;

  @Describe('The maker: an arbiter that saw consensus, a person, an operator, a timer')
  @IsIn(HOW)
  how!: (typeof HOW)[number];

  @IsBoolean() isHuman!: boolean;

  @Describe('The arbiter that saw consensus')
  @Optional()
  @IsString()
  arbiterId?: string;

  @Describe('The person, if one overrode the proposals')
  @Optional()
  @IsString()
  specialistId?: string;

  @Optional() @IsId() winningProposalId?: string;

  @Describe('The reason that the decision gives; empty without one')
  @IsString()
  reasoning!: string;

  @Describe('The proposals of the round, in the order they arrived')
  @IsListOf(ProposalRef)
  proposals!: readonly ProposalRef[];

  @Describe('As it was known when the decision was taken; absent if an operator or a timer took it')
  @Optional()
  @IsA(KnownAlignment)
  alignment?: KnownAlignment;

  @Describe('From 0 to 1; null unless an arbiter that measures one decided')
  @OrNull()
  @IsNumber()
  margin!: number | null;

  @Describe('The threshold that the arbiter used, else the one that the machine declares for the state')
  @Optional()
  @IsNumber()
  threshold?: number;

  @IsTime() decidedAt!: string;
}

export class Exemplar {
  @IsId() sessionId!: string;
  @IsString() roundId!: string;
  @IsName() machineName!: string;
  @IsString() state!: string;

  @Describe('The person')
  @IsString()
  specialistId!: string;

  @IsString() transitionName!: string;
  @IsString() toState!: string;
  @IsString() reasoning!: string;
  @Optional() @IsObject() metaJson?: JsonObject;

  @Describe('It was imported: session and round are not in the log')
  @IsBoolean()
  imported!: boolean;

  @Describe('The context of its proposers; absent if it was imported')
  @Optional()
  @IsObject()
  context?: ProposerContext;

  @Describe('All proposals, in the order of their arrival')
  @IsArray()
  proposals!: readonly OpenProposal[];

  @IsTime() decidedAt!: string;
}

export class Proposal extends withAmounts(spendingMembers) {
  @IsId() proposalId!: string;
  @IsId() sessionId!: string;
  @IsString() roundId!: string;
  @IsName() specialistId!: string;
  @IsWhole(1) specialistVersion!: number;
  @IsBoolean() isHuman!: boolean;
  @IsString() transitionName!: string;
  @IsString() toState!: string;
  @IsString() reasoning!: string;
  @Optional() @IsObject() metaJson?: JsonObject;
  @Optional() @IsId() solicitationId?: string;
  @IsIn(STATUSES) status!: ProposalStatus;
  @IsTime() createdAt!: string;
}

/** A session that waits for a decision. */
class NamedCandidates {
  @IsArray() @IsString({ each: true }) people!: readonly string[];
  @IsArray() @IsString({ each: true }) groups!: readonly string[];
}

export class InboxItem {
  @IsIn(['decision']) kind!: 'decision';
  @IsId() sessionId!: string;
  @IsName() machineName!: string;
  @IsId() roundId!: string;
  @IsString() currentState!: string;

  @Describe('The decision question; empty if the state has none')
  @IsString()
  prompt!: string;

  @Describe('The transitions that can be chosen, by name')
  @IsObject()
  transitions!: Readonly<Record<string, TransitionDefinition>>;

  @Optional() @IsObject() metaJson?: JsonObject;
  @IsIn(REASONS) reason!: HumanInputReason;

  @Describe('For people: why no decision was reached')
  @IsString()
  detail!: string;

  @Describe('Since when it waits')
  @IsTime()
  since!: string;

  @Describe('The open ones of the round, in the order they arrived')
  @IsListOf(Proposal)
  proposals!: readonly Proposal[];

  @Describe('The enabled human specialists of the machine, in the order they were registered')
  @IsString({ each: true })
  people!: readonly string[];

  @Describe('If the definition names who decides: only these, and those of escalations')
  @Optional()
  @IsA(NamedCandidates)
  candidates?: NamedCandidates;
}

/** A run that waits for an approval of a call, or for another answer. */
export class AwaitedItem extends AwaitView {
  @IsIn(['approval', 'answer']) kind!: 'approval' | 'answer';
  @IsId() runId!: string;
  @IsName() workflow!: string;

  @Describe('Where the run is a turn: the conversation takes the signal')
  @Optional()
  @IsId()
  conversationId?: string;
}
