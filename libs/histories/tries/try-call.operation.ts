import { Command } from '@nestjs/cqrs';
import { IsString, MaxLength, MinLength } from 'class-validator';
import { type ModelParameters, otherParametersSchema } from '#lib/call-rules';
import type { JsonObject } from '#lib/kernel';
import {
  answered,
  answeredBy,
  currentContext,
  Describe,
  Fits,
  IsId,
  Operation,
  Optional,
} from '#lib/operations';
import { unknownCall } from '#lib/runs/calls';
import { CallTry } from './tries.views.js';
import { Tries } from './tries.js';
import { messagesSchema } from './try.input.js';

@Operation({
  summary:
    'Send the recorded request of a call again, to the same model or another one; nothing else changes',
  http: 'POST /v1/llm-calls/:callId/tries',
  cli: 'try <callId> --model <modelId> --model-parameters <modelParameters> --messages <messages>',
  access: 'operator',
  answers: { 201: CallTry },
  problems: [413, 503],
})
export class TryCall extends Command<CallTry> {
  @IsId(unknownCall) callId!: string;

  @Describe('Default: the model of the call', { example: 'gpt-4o-mini' })
  @Optional()
  @IsString()
  @MinLength(1)
  @MaxLength(256)
  modelId?: string;

  @Describe('In place of all parameters of the request')
  @Optional()
  @Fits(otherParametersSchema)
  modelParameters?: ModelParameters;

  @Describe('In place of all messages of the request')
  @Optional()
  @Fits(messagesSchema)
  messages?: readonly JsonObject[];
}

export const TryCallHandler = answeredBy(TryCall, [Tries], async (command, tries) =>
  answered(await tries.try(command, currentContext())),
);
