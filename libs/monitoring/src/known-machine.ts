import type { Rejection } from '#lib/kernel';
import { unknownMachine } from '#lib/machine';
import { isKnownMachine, type Rows } from '#lib/projections';

/**
 * Reads about a machine that was defined, or that a session ran: one that comes along with a session is not defined.
 * Any other is refused as `unknown-machine`.
 */
export function ofKnownMachine<Asked extends { readonly machineName: string }, Found, Name extends string>(
  read: (db: Rows<Name>, asked: Asked) => Promise<Found | Rejection>,
): (db: Rows<Name | 'machines' | 'sessions'>, asked: Asked) => Promise<Found | Rejection> {
  return async (db, asked) =>
    (await isKnownMachine(db, asked.machineName)) ? read(db, asked) : unknownMachine(asked.machineName);
}
