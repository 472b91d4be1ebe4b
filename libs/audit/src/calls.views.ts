import { IsIn, IsNumber, IsObject, IsString } from 'class-validator';
import type { JsonObject } from '#lib/kernel';
import { Describe, IsA, IsId, IsName, IsTime, IsWhole, Optional, OrNull } from '#lib/operations';
import type { LlmCallOutcome, LlmCallRecord } from '#lib/projections';

export const OUTCOMES: readonly LlmCallOutcome[] = [
  'toolCall',
  'decision',
  'noToolCall',
  'unreadable',
  'failed',
  'pending',
];

export class Usage {
  @Optional() @IsWhole() prompt_tokens?: number;
  @Optional() @IsWhole() completion_tokens?: number;
}

abstract class CallOfSession {
  @IsId() callId!: string;
  @IsId() sessionId!: string;
  @IsName() specialistId!: string;
  @IsName() machineName!: string;
  @IsObject() requestBody!: JsonObject;

  @Describe('null when none came')
  @OrNull()
  @IsNumber()
  responseStatus!: number | null;

  @OrNull() @IsString() responseBody!: string | null;

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

export class LlmCall extends CallOfSession {
  @IsId() solicitationId!: string;
  @IsWhole(1) specialistVersion!: number;
  @IsIn(['tools', 'text', 'reask']) rung!: LlmCallRecord['rung'];
  @IsString() model!: string;
  @Optional() @IsString() resolvedModel?: string;
  @IsString() requestUrl!: string;

  @Describe('Credentials redacted')
  @IsObject()
  requestHeaders!: { readonly [name: string]: string };

  @IsIn(OUTCOMES) outcome!: LlmCallOutcome;
  @Optional() @IsA(Usage) usage?: Usage;
}

export class WebhookCall extends CallOfSession {
  @Describe('Of the solicitation or the arbitration')
  @IsId()
  workflowId!: string;

  @IsIn(['strategy', 'context', 'verdict']) purpose!: 'strategy' | 'context' | 'verdict';
  @IsWhole(1) attempt!: number;
  @IsString() url!: string;
  @IsIn(['pending', 'completed', 'failed']) outcome!: 'pending' | 'completed' | 'failed';
}
