import { readFileSync } from 'node:fs';
import type { OperationEntry, OperationManifest } from '#lib/operations';

let read: OperationManifest | undefined;

/** The manifest of the declared operations, which the build writes. */
export function manifest(): OperationManifest {
  return (read ??= JSON.parse(
    readFileSync(new URL(import.meta.resolve('#operations')), 'utf8'),
  ) as OperationManifest);
}

/** @throws TypeError if no operation with this name is declared */
export function entryOf(id: string): OperationEntry {
  const entry = manifest().operations.find((one) => one.id === id);
  if (!entry) throw new TypeError(`${id} is not a declared operation.`);
  return entry;
}
