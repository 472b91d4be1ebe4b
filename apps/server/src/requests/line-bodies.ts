import { isUtf8 } from 'node:buffer';
import { BadRequestException, UnsupportedMediaTypeException } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { operations } from '#lib/engine';
import { httpProblem } from '#lib/engine/core';
import { explain, parseJsonObject } from '#lib/kernel';
import { refuseMembers } from '#lib/operations';
import { ProblemError } from '../problems/problem-error.js';

/** 64 MiB. */
const BODY_LIMIT = 67_108_864;
const LINE_END = 0x0a;

const ROUTES = operations.flatMap(({ method, path, lines }) =>
  lines === undefined ? [] : [{ method, path, lines }],
);

/** The field that holds the lines of the body of a request, if its operation has one. Also below a prefix. */
export function fieldOfLines({ method, path }: Pick<Request, 'method' | 'path'>): string | undefined {
  const asked = path.replace(/\/$/, '').toLowerCase();
  return ROUTES.find((route) => route.method === method && asked.endsWith(route.path))?.lines;
}

const working = new WeakMap<Request, Promise<unknown>>();

/** Keeps the turn until the work has ended: its body is in memory, also after the client has gone. */
export function holdTurn(request: Request, work: Promise<unknown>): void {
  working.set(request, work);
}

/** Middleware that reads bodies of lines, one at a time, so that waiting ones take no memory. The turn ends with the answer and its work. */
export function readLineBodies() {
  let turn: Promise<unknown> = Promise.resolve();
  return async (request: Request, response: Response, next: NextFunction): Promise<void> => {
    const field = fieldOfLines(request);
    const is = request.is('application/x-ndjson');
    if (field === undefined || is === null || request.readableEnded) return next();
    const isEncoded = request.headers['content-encoding'] !== undefined;
    if (is === false || isEncoded) throw new UnsupportedMediaTypeException();
    if (Number(request.headers['content-length'] ?? 0) > BODY_LIMIT) throw tooLarge();
    if (response.closed) return;
    const before = turn;
    turn = new Promise((resolve) =>
      response.once('close', () => resolve(Promise.allSettled([working.get(request)]))),
    );
    await before;
    if (response.closed) return;
    request.body = fieldsOf(await bytesOf(request), field);
    next();
  };
}

async function bytesOf(request: Request): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    if (length > BODY_LIMIT) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** @throws BadRequestException @throws RejectionError for a first line with the field of the other lines */
function fieldsOf(bytes: Buffer, field: string): object {
  const end = bytes.indexOf(LINE_END);
  const first = isUtf8(bytes)
    ? parseJsonObject(bytes.toString('utf8', 0, end < 0 ? bytes.length : end))
    : undefined;
  if (!first) throw notJson();
  refuseMembers([field].filter((name) => Object.hasOwn(first, name)));
  return { ...first, ...(end >= 0 && { [field]: bytes.toString('utf8', end + 1) }) };
}

function notJson(): BadRequestException {
  const cause = new SyntaxError('the first line is no JSON object, or the body is not UTF-8');
  return new BadRequestException(undefined, { cause });
}

function tooLarge(): ProblemError {
  const text = explain(
    'BodyTooLarge',
    'the body',
    'it is larger than 64 MiB',
    'Send at most 67,108,864 bytes',
  );
  return new ProblemError(httpProblem(413, 'body-too-large', text));
}
