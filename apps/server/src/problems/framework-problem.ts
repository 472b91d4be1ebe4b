import type { HttpException } from '@nestjs/common';
import { explain } from '#lib/kernel';
import { type HttpProblem, httpProblem } from '#lib/engine/core';

type ProblemText = readonly [code: string, errorClass: string, what: string, why: string, fix: string];

const BY_STATUS: { readonly [status: number]: ProblemText | undefined } = {
  404: [
    'not-found',
    'NotFound',
    'this path',
    'no route has this path',
    'See GET /openapi.json for the routes',
  ],
  408: [
    'request-timeout',
    'RequestTimeout',
    'the request',
    'it did not come whole in time',
    'Send it again, and faster',
  ],
  413: [
    'body-too-large',
    'BodyTooLarge',
    'the body',
    'it is larger than 1 MiB',
    'Send at most 1,048,576 bytes',
  ],
  415: [
    'unsupported-media-type',
    'UnsupportedMediaType',
    'the body',
    'its type or encoding is not supported',
    'Send JSON in UTF-8 with Content-Type: application/json, and a history with application/x-ndjson',
  ],
  417: [
    'expectation-failed',
    'ExpectationFailed',
    'the header Expect',
    'it asks for something else than 100-continue',
    'Leave it out',
  ],
  431: [
    'headers-too-large',
    'HeadersTooLarge',
    'the headers',
    'they are larger than 16 KiB',
    'Send fewer or shorter headers',
  ],
};

const NOT_JSON: ProblemText = [
  'malformed-json',
  'MalformedRequest',
  'the body',
  'it is not valid JSON in UTF-8',
  'Send a JSON object',
];

const UNREADABLE: ProblemText = [
  'malformed-request',
  'MalformedRequest',
  'the request',
  'it cannot be read',
  'Check path, headers and body',
];

/** Problems that the web framework finds: no route, a body that cannot be read. Its own words are not passed on. */
export function frameworkProblem(error: HttpException): HttpProblem {
  return error.cause instanceof SyntaxError ? problem(400, NOT_JSON) : statusProblem(error.getStatus());
}

/** A problem of which only the status is known. */
export function statusProblem(status: number): HttpProblem {
  return problem(status, BY_STATUS[status] ?? UNREADABLE);
}

function problem(status: number, [code, errorClass, what, why, fix]: ProblemText): HttpProblem {
  const errors = status === 400 ? { errors: [{ path: '', message: why.replace(/^it /, '') }] } : {};
  return httpProblem(status, code, explain(errorClass, what, why, fix), errors);
}
