import { Command } from '@nestjs/cqrs';
import { IsString, MaxLength, MinLength } from 'class-validator';
import { type ModelParameters, otherParametersSchema } from '#lib/call-rules';
import type { JsonObject } from '#lib/kernel';
import { answered, answeredBy, currentContext, input, is, Operation } from '#lib/operations';
import { unknownCall } from '#lib/runs/calls';
import { CallTry } from './tries.views.js';
import { Tries } from './tries.js';
import { messagesSchema } from './try.input.js';

@Operation({
  summary:
    'Send the recorded request of a call again, to the same model or another one; the session or run of the call does not change',
  http: 'POST /v1/llm-calls/:callId/tries',
  cli: 'try <callId> --model <modelId> --model-parameters <modelParameters> --messages <messages>',
  access: 'operator',
  answers: { 201: CallTry },
  problems: [413, 503],
})
export class TryCall extends input(Command<CallTry>, {
  callId: is.idOf(unknownCall),
  modelId: is
    .form<string>(IsString(), MinLength(1), MaxLength(256))
    .optional.about('Default: the model of the call', { example: 'gpt-4o-mini' }),
  modelParameters: is
    .fitting<ModelParameters>(otherParametersSchema)
    .optional.about('Replaces all parameters of the request'),
  messages: is
    .fitting<readonly JsonObject[]>(messagesSchema)
    .optional.about('Replaces all messages of the request'),
}) {}

export const TryCallHandler = answeredBy(TryCall, [Tries], async (command, tries) =>
  answered(await tries.try(command, currentContext())),
);
