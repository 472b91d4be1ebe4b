import type { TransitionDefinition } from '#lib/decisions/machines';
import { amounts, is, view } from '#lib/operations';
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

class ProposalRef extends view({
  proposalId: is.id,
  specialistId: is.name,
  specialistVersion: is.whole(1),
  isHuman: is.flag,
  transitionName: is.text,
}) {}

class KnownScore extends view({
  specialistId: is.name,
  specialistVersion: is.whole(1),
  score: is.number,
  comparisons: is.whole().optional,
}) {}

class KnownAlignment extends view({
  rule: is.text,
  ruleVersion: is.whole(1),
  position: is.text.optional,
  scores: is.listOf(KnownScore),
}) {}

export class Decision extends view({
  sessionId: is.id,
  machineName: is.name,
  revision: is.whole().about("The revision of the transition in the session's stream"),
  position: is.text.about('The position of the transition in the log'),
  roundId: is.text,
  fromState: is.text,
  toState: is.text,
  transitionName: is.text,
  how: is
    .oneOf(HOW)
    .about('The kind of decider: an arbiter that saw consensus, a person, an operator, a timer'),
  isHuman: is.flag,
  arbiterId: is.text.optional.about('The arbiter that saw consensus'),
  specialistId: is.text.optional.about('The person, if one overrode the proposals'),
  winningProposalId: is.id.optional,
  reasoning: is.text.about('The reason of the decision; empty without one'),
  proposals: is.listOf(ProposalRef).about('The proposals of the round, in the order they arrived'),
  alignment: is
    .a(KnownAlignment)
    .optional.about('The alignment at the time of the decision; absent if an operator or a timer decided'),
  margin: is.number.orNull.about('From 0 to 1; null unless an arbiter that measures one decided'),
  threshold: is.number.optional.about(
    'The threshold that the arbiter used, else the one that the machine declares for the state',
  ),
  decidedAt: is.time,
}) {}

export class Exemplar extends view({
  sessionId: is.id,
  roundId: is.text,
  machineName: is.name,
  state: is.text,
  specialistId: is.text.about('The person'),
  transitionName: is.text,
  toState: is.text,
  reasoning: is.text,
  metaJson: is.object().optional,
  imported: is.flag.about('It was imported: its session and round are not in the log'),
  context: is
    .object<ProposerContext>()
    .optional.about('The context of its proposers; absent if it was imported, or its session cannot be read'),
  proposals: is.array<OpenProposal>().about('All proposals, in the order of their arrival'),
  decidedAt: is.time,
}) {}

export class Proposal extends view({
  ...amounts(spendingMembers),
  proposalId: is.id,
  sessionId: is.id,
  roundId: is.text,
  specialistId: is.name,
  specialistVersion: is.whole(1),
  isHuman: is.flag,
  transitionName: is.text,
  toState: is.text,
  reasoning: is.text,
  metaJson: is.object().optional,
  solicitationId: is.id.optional,
  status: is.oneOf(STATUSES),
  createdAt: is.time,
}) {}

/** The candidates of a session that waits for a decision. */
class NamedCandidates extends view({
  people: is.texts,
  groups: is.texts,
}) {}

export class InboxItem extends view({
  kind: is.oneOf(['decision']),
  sessionId: is.id,
  machineName: is.name,
  roundId: is.id,
  currentState: is.text,
  prompt: is.text.about('The decision question; empty if the state has none'),
  transitions: is
    .object<Readonly<Record<string, TransitionDefinition>>>()
    .about('The transitions that can be chosen, by name'),
  metaJson: is.object().optional,
  reason: is.oneOf(REASONS),
  detail: is.text.about('For people: the reason why no decision was reached'),
  since: is.time.about('The start of the wait'),
  proposals: is.listOf(Proposal).about('The open ones of the round, in the order they arrived'),
  people: is.texts.about('The enabled human specialists of the machine, in the order they were registered'),
  candidates: is
    .a(NamedCandidates)
    .optional.about('If the definition names the people who decide: only these, and those of escalations'),
}) {}

/** A run that waits for an approval of a call, or for another answer. */
export class AwaitedItem extends view(AwaitView, {
  kind: is.oneOf(['approval', 'answer']),
  runId: is.id,
  workflow: is.name,
  conversationId: is.id.optional.about('Where the run is a turn: the conversation takes the signal'),
}) {}
