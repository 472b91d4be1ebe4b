import type { MachineDefinition as Definition } from '#lib/decisions/machines';
import { amounts, givenAmounts, is, labelMembers, ReplayReportBody, view } from '#lib/operations';
import { type SessionStatus, spendingMembers } from '#lib/decisions/session';
import { MachineDefinition } from '#lib/decisions/registration';

export const STATUSES: readonly SessionStatus[] = ['open', 'needs_human', 'done', 'closed'];

class TransitionRecord extends view({
  transitionName: is.text,
  fromState: is.text,
  toState: is.text,
  reasoning: is.text,
  metaJson: is.object().optional,
  isHuman: is.flag,
  decidedBy: is.text.about('A specialist, `default`, `operator` or `timer`'),
  proposalId: is.id.optional,
  executionTimestamp: is.time,
}) {}

export class ForkedFrom extends view({
  sessionId: is.id,
  revision: is.whole().about('The last event that both have in common'),
  by: is.text,
  reason: is.text.optional,
}) {}

/** A session in a list. */
export class SessionSummary extends view({
  sessionId: is.id,
  machineName: is.name,
  machineVersion: is.whole(1).optional,
  machineHash: is.text,
  currentState: is.text,
  currentRoundId: is.id,
  status: is.oneOf(STATUSES).about('`done`: at rest. `needs_human`: it waits for a person'),
  history: is.listOf(TransitionRecord),
  metaJson: is.object().optional,
  ...labelMembers,
  forkedFrom: is.a(ForkedFrom).about('The parent session of a fork').optional,
  createdAt: is.time,
  updatedAt: is.time,
  revision: is.whole().about("The revision of the session's stream"),
}) {}

/** A session with its current round, as the doors show it. */
export class Session extends view(SessionSummary, { machine: is.a<Definition>(MachineDefinition) }) {}

/** A new session, with the tokens of the people that its machine declares. */
export class CreatedSession extends view(Session, {
  actorTokens: is
    .any<{ readonly [specialistId: string]: string }>()
    .optional.about("By id of the machine's humans: their tokens, returned once and stored only as hashes"),
}) {}

class QuorumView extends view({ needed: is.whole(), present: is.whole() }) {}

/** The consensus in the current round by its proposals. */
export class Consensus extends view({
  consensusReached: is.flag,
  winningProposalId: is.id.optional,
  reasoning: is.text,
  margin: is.number.optional,
  threshold: is.number.optional,
  quorum: is.a(QuorumView),
}) {}

/** The cost of a proposal or a decision, as given by the caller. */
export const costMembers = givenAmounts(spendingMembers, 'in place of what the specialist reports');

/** The outcome of an arbitration. */
export class Arbitration extends view({
  ...amounts(spendingMembers, 'as the caller gave it, else as the arbiter said or its calls took'),
  arbitrationId: is.id,
  sessionId: is.id,
  roundId: is.text.about('The round of the call'),
  specialistId: is.text.optional,
  stale: is.flag.about('The round of the call is not the current one'),
  guardsPass: is.flag,
  guardReason: is.text,
  winningProposalId: is.id.optional,
  transitionName: is.text.optional,
  toState: is.text.optional,
  reasoning: is.text.optional,
  executed: is.flag.about('Whether it executed a transition'),
  isHuman: is.flag,
  decidedBy: is.text.optional,
  metaJson: is.object().optional,
}) {}

class TickFailure extends view({ kind: is.text, message: is.text }) {}

/** The result of a tick. */
export class Tick extends view({
  sessionId: is.id,
  machineName: is.name,
  status: is
    .oneOf(['solicited', 'advanced', 'needs_human', 'failed'])
    .about('`failed`: the asked proposer gave no proposal'),
  currentState: is.text,
  specialistId: is.text.optional,
  previousState: is.text.optional,
  transitionName: is.text.optional,
  reasoning: is.text.optional,
  failure: is.a(TickFailure).optional,
}) {}

export class ReplayReport extends view(ReplayReportBody, { sessionId: is.id }) {}
