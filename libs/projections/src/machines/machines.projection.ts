import { jsonText } from '#lib/kernel';
import type { MachineEvent } from '#lib/machine';
import { storedTime } from '../row/stored-time.js';
import type { Handlers, Projection } from '../runner/projection.js';
import { insertRow } from '../store/insert-row.js';
import { statement } from '../store/statement.js';
import { machinesTable } from './machines.table.js';

const addMachine = insertRow(machinesTable);

/** The version with this number is the current one, and no other. */
const setCurrent = statement<{ machineName: string; version: number }>((db, values) =>
  db
    .updateTable('machines_v2')
    .set((eb) => ({
      is_current: eb.case().when('version', '=', values.version).then(eb.lit(1)).else(eb.lit(0)).end(),
    }))
    .where('machine_name', '=', values.machineName),
);

const onMachine: Required<Handlers<MachineEvent>> = {
  MachineDefined: ({ data, occurredAt }) => [
    addMachine({
      machine_name: data.machineName,
      version: data.version,
      hash: data.hash,
      definition: jsonText(data.definition),
      defined_at: storedTime(occurredAt),
      is_current: 1,
    }),
    setCurrent({ machineName: data.machineName, version: data.version }),
  ],
  MachineDefinedAgain: ({ data }) => [setCurrent({ machineName: data.machineName, version: data.version })],
};

/** Every version of every machine. */
export const machinesProjection: Projection<'machines'> = {
  name: 'machines',
  version: 2,
  tables: [machinesTable],
  on: { machine: onMachine },
};
