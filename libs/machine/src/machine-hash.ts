import { jsonText, sha256 } from '#lib/kernel';
import type { MachineDefinition } from './machine-definition.js';

/**
 * SHA-256, in hexadecimal, of the normalized machine's JSON text. Two machines with one hash are the same machine;
 * members in another order make another one.
 */
export function machineHash(definition: MachineDefinition): string {
  return sha256(jsonText(definition));
}
