import { is, view } from '#lib/operations';
import type { LlmCallOutcome } from '#lib/read-models';
import { Tokens } from '#lib/runs/runs';

export const OUTCOMES: readonly LlmCallOutcome[] = [
  'toolCall',
  'decision',
  'noToolCall',
  'unreadable',
  'failed',
  'erased',
  'pending',
];

class Usage extends view({
  prompt_tokens: is.whole().optional,
  completion_tokens: is.whole().optional,
}) {}

abstract class RecordedCall extends view({
  callId: is.id,
  responseStatus: is.number.orNull.about('null if no reply came'),
  responseIncomplete: is
    .oneOf([true])
    .optional.about(
      'The body was cut, was too large, or could not be decoded: it has the received bytes, at most 1 MiB',
    ),
  responseEncoding: is.oneOf(['base64']).optional,
  durationMs: is.number.orNull,
  error: is.text.orNull,
  requestedAt: is.time,
  completedAt: is.time.optional,
}) {}

/** The members about a session are absent if no solicitation made the call. */
abstract class RecordedLlmCall extends view(RecordedCall, {
  runId: is.id,
  workflow: is.name.about('The workflow of the run', { example: 'solicitation' }),
  sessionId: is.id.optional,
  solicitationId: is.id.optional,
  specialistId: is.name.optional,
  specialistVersion: is.whole(1).optional,
  machineName: is.name.optional,
  rung: is.oneOf(['tools', 'text', 'reask', 'structured']).optional.about('The rung, in a solicitation'),
  round: is.whole(1).optional.about('The round, in a run that works in rounds'),
  provider: is.name,
  model: is.text.about('Its name at the provider'),
  attempt: is.whole(1).about('Counted over all models of one question, backups included'),
  resolvedModel: is.text.optional,
  firstTokenMs: is.number.optional.about(
    'Milliseconds until the first part of the message in a streamed reply',
  ),
  outcome: is.oneOf(OUTCOMES),
  usage: is.a(Usage).optional,
  tokens: is.a(Tokens).about('0 if the reply reports none'),
  costUSD: is.number.optional.about('Absent if no price was in force, or if the usage is unknown'),
}) {}

/** A call with its request and its reply. */
export class LlmCall extends view(RecordedLlmCall, {
  requestUrl: is.text,
  requestHeaders: is.object<{ readonly [name: string]: string }>().about('Credentials redacted'),
  requestBody: is.object(),
  responseBody: is.text.orNull,
}) {}

/** One call, with the conclusion from its reply. */
export class ConcludedLlmCall extends view(LlmCall, {
  conclusion: is.text.about('The conclusion from the reply, as a sentence'),
  askedAgain: is
    .oneOf([true])
    .optional.about('The choice in the reply did not fit, and the model was asked again'),
}) {}

/** A call in a list. Its request and its reply are present only if `include` names them. */
export class ListedLlmCall extends view(RecordedLlmCall, {
  requestUrl: is.text.optional,
  requestHeaders: is.object<{ readonly [name: string]: string }>().optional,
  requestBody: is.object().optional,
  responseBody: is.text.orNull.optional,
}) {}

/** A call of a webhook, in the form for the doors. */
export class WebhookCall extends view(RecordedCall, {
  requestBody: is.object(),
  responseBody: is.text.orNull,
  sessionId: is.id,
  specialistId: is.name,
  machineName: is.name,
  workflowId: is.id.about('The id of the solicitation or the arbitration'),
  purpose: is.oneOf(['strategy', 'context', 'verdict']),
  attempt: is.whole(1),
  url: is.text,
  outcome: is.oneOf(['pending', 'completed', 'failed']),
}) {}
