import { choice, json, list, object, text, textOrNull, time, uuid, whole } from './schema.js';

const numberOrNull = { type: ['number', 'null'] };

export const operationSchemas = {
  LlmCall: object({
    callId: uuid,
    sessionId: uuid,
    solicitationId: uuid,
    specialistId: text,
    specialistVersion: whole,
    machineName: text,
    rung: choice('tools', 'text', 'reask'),
    model: text,
    'resolvedModel?': text,
    requestUrl: text,
    requestHeaders: { type: 'object', additionalProperties: text },
    requestBody: json,
    responseStatus: numberOrNull,
    responseBody: textOrNull,
    durationMs: numberOrNull,
    error: textOrNull,
    outcome: choice('toolCall', 'decision', 'noToolCall', 'unreadable', 'failed', 'pending'),
    'usage?': object({ 'prompt_tokens?': whole, 'completion_tokens?': whole }),
    requestedAt: time,
    'completedAt?': time,
  }),
  Projection: object({
    name: text,
    version: whole,
    position: textOrNull,
    headPosition: textOrNull,
    lag: numberOrNull,
    status: choice('live', 'catching-up', 'rebuilding', 'stopped'),
    'error?': object({ message: text }),
  }),
  Problem: {
    ...object({
      type: text,
      title: text,
      status: whole,
      detail: text,
      code: text,
      'errors?': list(object({ path: text, message: text })),
      'kind?': text,
      'upstreamStatus?': whole,
      'solicitationId?': uuid,
      'arbitrationId?': uuid,
      'parts?': list(object({ part: text, why: text })),
    }),
    description: 'RFC 9457; `detail` follows `[ErrorClass] what: why. how to fix.`, `code` is for programs',
  },
};
