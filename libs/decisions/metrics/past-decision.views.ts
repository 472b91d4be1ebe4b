import { is, view } from '#lib/operations';

/** The choice of a model in a round that a person decided. */
export class PastProposal extends view({
  specialistId: is.name,
  specialistVersion: is.whole(1).optional.about('Default: the current one'),
  transitionName: is.text,
}) {}

/** A decision of a person from before the log. */
export class PastDecision extends view({
  state: is.text.about('The state in which it was decided', { example: 'triage' }),
  transitionName: is.text,
  specialistId: is.name.about('The person', { example: 'ann' }),
  reasoning: is.text.optional,
  metaJson: is.object().optional.about('The metadata of the decision'),
  sessionMetaJson: is.object().optional.about('The subject of the decision'),
  decidedAt: is.time.optional.about('Default: now'),
  proposals: is
    .listOf(PastProposal)
    .optional.about("The choices of the machine's proposers: each is compared with the decision"),
}) {}
