import { list, object, text, uuid, whole } from './schema.js';

/** The body of every answer that is an error. */
export const problemSchema = {
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
};
