import { IsIn, IsNumber, IsObject, IsString } from 'class-validator';
import type { JsonObject } from '#lib/kernel';
import { Describe, IsA, IsId, IsName, IsTime, IsWhole, Optional, OrNull } from '#lib/operations';
import type { LlmCallOutcome } from '#lib/read-models';
import { Tokens } from '#lib/runs/runs';

export const OUTCOMES: readonly LlmCallOutcome[] = [
  'toolCall',
  'decision',
  'noToolCall',
  'unreadable',
  'failed',
  'pending',
];

class Usage {
  @Optional() @IsWhole() prompt_tokens?: number;
  @Optional() @IsWhole() completion_tokens?: number;
}

abstract class RecordedCall {
  @IsId() callId!: string;

  @Describe('null if none came')
  @OrNull()
  @IsNumber()
  responseStatus!: number | null;

  @Describe(
    'The body was cut, was too large, or could not be decoded: it is what was received, at most 1 MiB of it',
  )
  @Optional()
  @IsIn([true])
  responseIncomplete?: true;

  @Optional() @IsIn(['base64']) responseEncoding?: 'base64';
  @OrNull() @IsNumber() durationMs!: number | null;
  @OrNull() @IsString() error!: string | null;
  @IsTime() requestedAt!: string;
  @Optional() @IsTime() completedAt?: string;
}

/** The members about a session are absent if the call is of no solicitation. */
abstract class RecordedLlmCall extends RecordedCall {
  @IsId() runId!: string;

  @Describe('The workflow of the run', { example: 'solicitation' })
  @IsName()
  workflow!: string;

  @Optional() @IsId() sessionId?: string;
  @Optional() @IsId() solicitationId?: string;
  @Optional() @IsName() specialistId?: string;
  @Optional() @IsWhole(1) specialistVersion?: number;
  @Optional() @IsName() machineName?: string;

  @Describe('The rung, in a solicitation')
  @Optional()
  @IsIn(['tools', 'text', 'reask', 'structured'])
  rung?: 'tools' | 'text' | 'reask' | 'structured';

  @Describe('The round, in a run that works in rounds')
  @Optional()
  @IsWhole(1)
  round?: number;

  @IsName() provider!: string;

  @Describe('Its name at the provider')
  @IsString()
  model!: string;

  @Describe('Over all models of one question, its backups included')
  @IsWhole(1)
  attempt!: number;

  @Optional() @IsString() resolvedModel?: string;

  @Describe('Milliseconds until the first part of the message in a streamed reply')
  @Optional()
  @IsNumber()
  firstTokenMs?: number;
  @IsIn(OUTCOMES) outcome!: LlmCallOutcome;
  @Optional() @IsA(Usage) usage?: Usage;

  @Describe('0 if the reply reports none')
  @IsA(Tokens)
  tokens!: Tokens;

  @Describe('Absent if no price was in force, or the usage is not known')
  @Optional()
  @IsNumber()
  costUSD?: number;
}

/** With what was sent and what came. */
export class LlmCall extends RecordedLlmCall {
  @IsString() requestUrl!: string;

  @Describe('Credentials redacted')
  @IsObject()
  requestHeaders!: { readonly [name: string]: string };

  @IsObject() requestBody!: JsonObject;
  @OrNull() @IsString() responseBody!: string | null;
}

/** A call by itself, with the conclusion from its reply. */
export class ConcludedLlmCall extends LlmCall {
  @Describe('The conclusion from the reply, as a sentence')
  @IsString()
  conclusion!: string;

  @Describe('The choice in the reply did not fit, and the model was asked again')
  @Optional()
  @IsIn([true])
  askedAgain?: true;
}

/** A call in a list. Its request and its reply are present only if `include` names them. */
export class ListedLlmCall extends RecordedLlmCall {
  @Optional() @IsString() requestUrl?: string;
  @Optional() @IsObject() requestHeaders?: { readonly [name: string]: string };
  @Optional() @IsObject() requestBody?: JsonObject;
  @Optional() @OrNull() @IsString() responseBody?: string | null;
}

/** A call of a webhook, as the doors show it. */
export class WebhookCall extends RecordedCall {
  @IsObject() requestBody!: JsonObject;
  @OrNull() @IsString() responseBody!: string | null;
  @IsId() sessionId!: string;
  @IsName() specialistId!: string;
  @IsName() machineName!: string;

  @Describe('The id of the solicitation or the arbitration')
  @IsId()
  workflowId!: string;

  @IsIn(['strategy', 'context', 'verdict']) purpose!: 'strategy' | 'context' | 'verdict';
  @IsWhole(1) attempt!: number;
  @IsString() url!: string;
  @IsIn(['pending', 'completed', 'failed']) outcome!: 'pending' | 'completed' | 'failed';
}
