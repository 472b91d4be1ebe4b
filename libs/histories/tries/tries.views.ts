import { is, view } from '#lib/operations';
import { LlmCall, OUTCOMES } from '#lib/runs/calls';

class AnswerReading extends view({
  outcome: is.oneOf(OUTCOMES),
  transitionName: is.text.optional.about(
    'Absent if the answer chooses none, and for calls outside of solicitations',
  ),
  metaJson: is.object().optional,
}) {}

/** A recorded request that was sent again. */
export class CallTry extends view({
  runId: is.id,
  call: is.a(LlmCall).about('The last call, if the provider failed and was asked again'),
  reading: is.a(AnswerReading).about('Whether the choice fits the round is not judged'),
}) {}
