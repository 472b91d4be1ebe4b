import { callOverHttp, type ClientOptions } from '#lib/client';
import type { CommandOptions } from '#lib/operations/core';
import type { Redial } from '#lib/engine';
import { refuseInvalidKey, type Operation, readInput } from '#lib/operations';

/** Calls the operation of a tool. @returns its answer, the body of HTTP */
export type CallOperation = (
  operation: Operation,
  input: object,
  options: CommandOptions,
) => Promise<unknown>;

/** Calls of the engine in this process. */
export function callsOfEngine({ dispatcher }: Redial): CallOperation {
  return async ({ type }, input, options) => (await dispatcher.dispatch(type, input, options)).value;
}

/**
 * Calls of a server, which admits the tokens of the connection. Input and key are checked before they are sent: a path and a header can only
 * hold texts.
 */
export function callsOfServer(server: ClientOptions): CallOperation {
  return async (operation, input, { idempotencyKey, proof, leaveToPeople = false }) => {
    const fields = readInput(operation, input);
    refuseInvalidKey(idempotencyKey);
    const key = idempotencyKey === undefined ? {} : { idempotencyKey };
    return callOverHttp({ ...server, ...proof, leaveToPeople }, operation, fields, key);
  };
}
