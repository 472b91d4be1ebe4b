import { Controller, Delete, Get, Post, Put, Req, Res, type Type } from '@nestjs/common';
import type { Request, Response } from 'express';
import { answerReaders } from '#lib/event-store';
import { type Answer, Dispatcher, type Lines, type Operation } from '#lib/operations';
import { holdTurn } from '../requests/line-bodies.js';
import { REDIAL_POSITION } from '../requests/positions.js';
import { AsyncAnswers } from './async-answers.js';
import { readCall } from './read-call.js';
import { sendLines } from './send-lines.js';

const ROUTES = { GET: Get, POST: Post, PUT: Put, DELETE: Delete };

/** A controller with one route for each operation. */
export function operationsController(operations: readonly Operation[]): Type {
  class OperationsController {
    constructor(
      readonly dispatcher: Dispatcher,
      readonly asyncAnswers: AsyncAnswers,
    ) {}
  }
  Reflect.defineMetadata('design:paramtypes', [Dispatcher, AsyncAnswers], OperationsController);
  for (const operation of operations.toSorted(byPath)) addRoute(OperationsController, operation);
  Controller()(OperationsController);
  return OperationsController;
}

/** Express takes the first route that fits: words come before names. */
function byPath(one: Operation, other: Operation): number {
  const key = ({ path }: Operation) => path.replaceAll(':', '~');
  return key(one) < key(other) ? -1 : 1;
}

function addRoute(controller: Type<{ readonly dispatcher: Dispatcher }>, operation: Operation): void {
  const { prototype } = controller as { prototype: object };
  const { id } = operation;
  const value = function serve(this: Parts, request: Request, response: Response) {
    const answered = answer(this, operation, request, response);
    if (operation.lines !== undefined) holdTurn(request, answered);
    return answered;
  };
  Object.defineProperty(prototype, id, { value, writable: true, configurable: true });
  const descriptor = Object.getOwnPropertyDescriptor(prototype, id) as PropertyDescriptor;
  ROUTES[operation.method](operation.path)(prototype, id, descriptor);
  Req()(prototype, id, 0);
  Res()(prototype, id, 1);
}

interface Parts {
  readonly dispatcher: Dispatcher;
  readonly asyncAnswers: AsyncAnswers;
}

async function answer(
  { dispatcher, asyncAnswers }: Parts,
  operation: Operation,
  request: Request,
  response: Response,
): Promise<void> {
  const call = readCall(operation, request);
  if (asyncAnswers.isWished(operation, request)) return asyncAnswers.answer(operation, call, response);
  const { input, caller } = call;
  const reading = answerReaders.open();
  response.once('close', () => reading.close());
  const { value, position, created } = await reading.run(() =>
    dispatcher.dispatch(operation.type, input, caller),
  );
  const statuses = Object.keys(operation.answers).map(Number);
  const status = created ? Math.max(...statuses) : Math.min(...statuses);
  if (position !== undefined) response.setHeader(REDIAL_POSITION, position);
  response.status(status);
  const form = operation.answers[status as 200];
  if (status === 204) return void response.end();
  if (form && 'form' in form && form.form === 'lines') {
    const { mediaType: type = form.mediaTypes[0] } = value as Lines;
    return reading.run(() => sendLines(value as Lines, type, response));
  }
  const { text, mediaType } = written(operation, form, value, request);
  // The answer of a command does not wait for room and is not refused: the command has been carried out.
  if (operation.kind === 'query') await reading.becomes(text.length);
  else reading.holds(text.length);
  response.type(mediaType).send(text);
  reading.sends(() => response.destroy());
}

/** The answer as text: in the form that the call accepts, preferably JSON. */
function written(operation: Operation, form: Answer | undefined, value: unknown, request: Request) {
  if (form && 'form' in form && form.form === 'text')
    return { text: value as string, mediaType: `${form.mediaType}; charset=utf-8` };
  const { as = {} } = operation;
  const accepted = request.accepts(['application/json', ...Object.keys(as)]);
  const write = typeof accepted === 'string' ? as[accepted] : undefined;
  if (write) return { text: write(value as never), mediaType: `${String(accepted)}; charset=utf-8` };
  return { text: JSON.stringify(value), mediaType: 'json' };
}
