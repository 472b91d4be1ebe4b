import { is, view } from '#lib/operations';

const OUTCOMES = ['same', 'different', 'toPeople', 'fromPeople'] as const;

export class RecordedDecision extends view({
  transitionName: is.text,
  decidedBy: is.text.about('A specialist, "default", "operator" or "timer"'),
  isHuman: is.flag,
}) {}

class SimulatedDecision extends view({
  transitionName: is.text.optional.about('Absent: the round goes to people'),
  decidedBy: is.text.optional,
  margin: is.number.optional.about('From 0 to 1, if the arbiter measures one'),
  reason: is
    .word<string>()
    .optional.about(
      'The reason why it goes to people; `not-asked`: the record lacks the answer of a specialist that would be asked',
    ),
  detail: is.text.optional,
}) {}

/** A decided round: its recorded and its simulated decision. */
export class SimulatedItem extends view({
  sessionId: is.id,
  roundId: is.text,
  state: is.text.about('The state in which it was decided'),
  outcome: is
    .oneOf(OUTCOMES)
    .about('`toPeople`: decided without people, now by people; `fromPeople`: the other way round'),
  recorded: is.a(RecordedDecision),
  simulated: is.a(SimulatedDecision),
}) {}

/** One page of decided rounds under other settings, with the counts of this page. */
export class Simulation extends view({
  rounds: is.whole().about('The sum of the counts below'),
  same: is.whole(),
  different: is.whole(),
  toPeople: is.whole(),
  fromPeople: is.whole(),
  items: is
    .listOf(SimulatedItem)
    .about('Session by session, the oldest first; the rounds of a session in order'),
  nextCursor: is.text.orNull.about('The `cursor` of the next page; null on the last one'),
  standsStill: is
    .whole()
    .optional.about('The number of streams that stand still: their rounds are missing, or old. Absent: none'),
}) {}
