import { table } from '../store/table.js';

/** A specialist of a machine. */
export const specialistsTable = table(
  'specialists_v4',
  {
    machine_name: 'text',
    specialist_id: 'text',
    /** The version that was registered last. */
    current_version: 'integer',
    /** 1 where it was registered with an operation, 0 where only machines declare it. */
    stands_alone: 'integer',
    enabled: 'integer',
    /** Of the last disabling; null while enabled, and where it was registered disabled. */
    disabled_position: 'text?',
    /** Of the first registration: the order in which the specialists of a machine are asked. */
    position: 'text',
  },
  ['machine_name', 'specialist_id'],
  [['specialist_id'], ['machine_name', 'position']],
);

/** The versions of each specialist. */
export const specialistVersionsTable = table(
  'specialist_versions_v4',
  {
    machine_name: 'text',
    specialist_id: 'text',
    version: 'integer',
    role: 'text',
    is_human: 'integer',
    person_id: 'text?',
    execution: 'text?',
    threshold: 'double precision?',
    /** JSON. */
    trust: 'text?',
    registered_at: 'bigint',
  },
  ['machine_name', 'specialist_id', 'version'],
);

/** From which position on which version was the current one. */
export const currentVersionsTable = table(
  'specialist_current_versions_v4',
  { machine_name: 'text', specialist_id: 'text', position: 'text', version: 'integer' },
  ['machine_name', 'specialist_id', 'position'],
);
