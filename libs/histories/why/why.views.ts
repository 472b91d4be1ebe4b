import type { JsonObject } from '#lib/kernel';
import { is, view } from '#lib/operations';
import { RELATIONS } from './causes.rules.js';

/** An event that is a cause, or the explained event. */
export class WhyNode extends view({
  id: is.text.about('`<stream>@<revision>`'),
  stream: is.text,
  revision: is.whole(),
  type: is.text,
  occurredAt: is.time,
  summary: is.text.about('The event as one line of plain language'),
}) {}

/** From an event to one of its causes. */
export class WhyEdge extends view({
  from: is.text.about('The id of an event'),
  to: is.text.about('The id of a cause of it'),
  relation: is.oneOf(RELATIONS).about('The relation of the cause to the event'),
}) {}

/** An event with its direct and indirect causes. */
export class Why extends view({
  nodes: is.listOf(WhyNode).about('The event itself, then its causes in the order of the log'),
  edges: is.listOf(WhyEdge),
  leftOff: is
    .whole()
    .optional.about('The number of references to farther causes that are left out. Absent: none'),
}) {}

/** A decided round, without ids and times. */
export class DecidedStep extends view({
  fromState: is.text,
  transitionName: is.text,
  toState: is.text,
  reasoning: is.text,
  metaJson: is.json<JsonObject>().optional,
  isHuman: is.flag,
  decidedBy: is.text,
  proposals: is.array<JsonObject>().about('The proposals of the round, in the order they arrived'),
}) {}

/** A difference between two steps. */
export class StepChange extends view({
  pointer: is.text.about('JSON pointer into the step; empty if only one session has this step'),
  a: is.json<unknown>().about('`null` if the first session has no value there'),
  b: is.json<unknown>().about('`null` if the other session has no value there'),
}) {}

/** The decided rounds of both sessions at one place. */
export class ComparedStep extends view({
  a: is.a(DecidedStep).optional,
  b: is.a(DecidedStep).optional,
  changes: is.listOf(StepChange),
}) {}

class AmountsView extends view({
  a: is.number,
  b: is.number,
}) {}

export class Diff extends view({
  same: is.flag.about('Whether all decided rounds are the same'),
  steps: is.listOf(ComparedStep).about('The decided rounds of both, side by side'),
  costUSD: is.a(AmountsView),
  latencyMsec: is.a(AmountsView),
}) {}
