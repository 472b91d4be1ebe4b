import { jsonText } from '#lib/kernel';
import type { MachineEvent } from '#lib/machine';
import { storedTime } from '../row/stored-time.js';
import type { Handlers, Projection } from '../runner/projection.js';
import { insertRow } from '../store/insert-row.js';
import { machinesTable } from './machines.table.js';

const addMachine = insertRow(machinesTable);

const onMachine: Required<Handlers<MachineEvent>> = {
  MachineDefined: ({ data, occurredAt }) => [
    addMachine({
      machine_name: data.machineName,
      version: data.version,
      hash: data.hash,
      definition: jsonText(data.definition),
      defined_at: storedTime(occurredAt),
    }),
  ],
};

/** Every version of every machine. */
export const machinesProjection: Projection<'machines'> = {
  name: 'machines',
  version: 1,
  tables: [machinesTable],
  on: { machine: onMachine },
};
