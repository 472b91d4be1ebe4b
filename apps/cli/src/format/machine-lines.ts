import type { Machine } from '#lib/machines';
import type { Problem } from '#lib/kernel';
import { problemLine } from '../input/read-machine-file.js';
import type { Paint } from './paint.js';
import { table } from './table.js';

/** A version of a machine that was defined, and what is legal in it and probably not meant. */
export function definedMachineLines(
  { machineName, version, warnings }: Machine & { readonly warnings: readonly Problem[] },
  paint: Paint,
): readonly string[] {
  return [`machine ${machineName} version ${version}`, ...warningLines(warnings, paint)];
}

/** Warnings, one a line. */
export function warningLines(warnings: readonly Problem[] | undefined, paint: Paint): readonly string[] {
  return (warnings ?? []).map((warning) => `${paint('yellow', 'warning')}: ${problemLine(warning)}`);
}

const columns = [{ title: 'machine' }, { title: 'version', align: 'right' }, { title: 'states' }] as const;

/** Machines, one a line. */
export function machineTable(machines: readonly Machine[]): readonly string[] {
  if (machines.length === 0) return ['no machine is defined'];
  const rows = machines.map(({ machineName, version, definition }) => [
    machineName,
    String(version),
    Object.keys(definition.states).join(', '),
  ]);
  return table(columns, rows);
}

/** A definition, as a machine file has it. */
export function machineFileLines({ definition }: Machine): readonly string[] {
  return JSON.stringify(definition, undefined, 2).split('\n');
}
