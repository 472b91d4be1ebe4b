import type { Request } from 'express';
import { credentialsOf } from '../security/admit-callers.js';
import { fromText, isJsonObject, type JsonObject, ownMember } from '#lib/kernel';
import {
  type Caller,
  inputSchema,
  isKey,
  malformed,
  type Operation,
  refuse,
  refuseMembers,
} from '#lib/operations';

/** The fields of a request's operation, and its caller. @throws RejectionError 400 */
export function readCall(
  operation: Operation,
  request: Request,
): { readonly input: object; readonly caller: Caller } {
  const fields = fieldsOf(operation, request);
  refuseMembers(operation.pathNames.filter((name) => Object.hasOwn(fields, name)));
  return { input: { ...fields, ...pathOf(operation, request.params) }, caller: callerOf(request) };
}

function fieldsOf(operation: Operation, request: Request): JsonObject {
  const { method, whole, query = {} } = operation;
  if (method === 'GET') return queryOf(operation, request.query);
  const body = bodyOf(request.body);
  if (method === 'DELETE') {
    refuseMembers(Object.keys(body));
    return queryOf(operation, request.query);
  }
  const unknown = Object.keys(request.query).filter((name) => !Object.hasOwn(query, name));
  refuseMembers(unknown, Object.keys(query));
  if (whole !== undefined) return { [whole]: bodyOf(request.body ?? null) };
  const named = Object.entries(request.query).map(
    ([name, value]) => [ownMember(query, name) ?? name, value] as const,
  );
  refuseMembers(named.map(([name]) => name).filter((name) => Object.hasOwn(body, name)));
  return { ...body, ...queryOf(operation, Object.fromEntries(named)) };
}

function callerOf(request: Request): Caller {
  const idempotencyKey = request.get('idempotency-key');
  if (idempotencyKey !== undefined && !isKey(idempotencyKey))
    refuse(malformed([{ path: '/Idempotency-Key', message: 'must be 1 to 128 printable ASCII characters' }]));
  const leaveToPeople = request.get('redial-leave-to-people');
  if (leaveToPeople !== undefined && leaveToPeople !== 'true')
    refuse(malformed([{ path: '/Redial-Leave-To-People', message: 'must be true, or left out' }]));
  const traceparent = request.get('traceparent');
  return {
    ...(idempotencyKey !== undefined && { idempotencyKey }),
    ...(leaveToPeople !== undefined && { leaveToPeople: true }),
    ...(traceparent !== undefined && { traceparent }),
    credentials: credentialsOf(request),
  };
}

/** The body of a call. An absent body is `{}`, so that the operation names the missing members. */
function bodyOf(body: unknown): JsonObject {
  const value = body === undefined ? {} : body;
  if (!isJsonObject(value))
    return refuse(malformed([{ path: '', message: 'must be a JSON object' }], 'the body'));
  return value;
}

function pathOf(operation: Operation, params: Request['params']): object {
  const { properties } = inputSchema(operation);
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, fromText(value, ownMember(properties, name))]),
  );
}

/** Converts texts to the types of their fields' schemas. A text that does not fit stays a text, and is refused later. */
function queryOf(operation: Operation, query: Request['query']): JsonObject {
  const { properties } = inputSchema(operation);
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => [name, fromText(value, ownMember(properties, name))]),
  ) as JsonObject;
}
