import type { HttpException } from '@nestjs/common';
import { type HttpProblem, httpProblem } from './http-problem.js';
import { problemText } from './problem-error.js';

type Told = readonly [code: string, errorClass: string, what: string, why: string, fix: string];

const BY_STATUS: { readonly [status: number]: Told | undefined } = {
  404: [
    'not-found',
    'NotFound',
    'this method and path',
    'there is nothing here',
    'See GET /openapi.json for what there is',
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
    'its type or encoding is not one that is read here',
    'Send JSON in UTF-8 with Content-Type: application/json',
  ],
};

const NOT_JSON: Told = [
  'malformed-json',
  'MalformedRequest',
  'the body',
  'it is not valid JSON',
  'Send a JSON object',
];

const UNREADABLE: Told = [
  'malformed-request',
  'MalformedRequest',
  'the request',
  'it cannot be read',
  'Check path, headers and body',
];

/** Problems that the web framework finds: no route, a body that cannot be read. Its own words are not passed on. */
export function frameworkProblem(error: HttpException): HttpProblem {
  const status = error.getStatus();
  const isJson = error.cause instanceof SyntaxError;
  const [code, errorClass, what, why, fix] = isJson ? NOT_JSON : (BY_STATUS[status] ?? UNREADABLE);
  const errors = status === 400 ? { errors: [{ path: '', message: why.replace(/^it /, '') }] } : {};
  return httpProblem(status, code, problemText({ errorClass, what, why, fix }), errors);
}
