import type { Rejection } from '#lib/kernel';
import { unknownMachine } from '#lib/machine';
import type { ReadModels } from '#lib/operations';
import { isKnownMachine, type ProjectionName, type Rows } from '#lib/projections';

/**
 * Asks about a machine that was defined, or that a session ran: one that comes along with a session is not defined.
 * @throws RejectionError `unknown-machine` for any other
 */
export function askAboutMachine<Found, const Name extends ProjectionName>(
  reads: ReadModels,
  machineName: string,
  projections: readonly Name[],
  question: (db: Rows<Name>) => Promise<Found | Rejection>,
): Promise<Found> {
  return reads.ask<Found, Name | 'machines' | 'sessions'>(
    ['machines', 'sessions', ...projections],
    async (db) => ((await isKnownMachine(db, machineName)) ? question(db) : unknownMachine(machineName)),
  );
}
