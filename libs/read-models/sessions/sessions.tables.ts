import type { JsonObject, Tags } from '#lib/kernel';
import type { MachineDefinition } from '#lib/decisions/machines';
import type { ForkOrigin, HumanInputReason, SessionStatus } from '#lib/decisions/session';
import { documents } from '../loop/declare.js';
import { foldedTable } from '../loop/folded-table.js';
import { flag, freeText, hidden, json, optional, time, uuid, word } from '../store/columns.js';

/** Each machine that sessions run, once for each hash. */
export const sessionMachinesTable = foldedTable(
  'session_machines',
  { machine_hash: 'text', definition: json<MachineDefinition>() },
  ['machine_hash'],
);

export const sessionsTable = foldedTable(
  'sessions',
  {
    session_id: uuid,
    machine_name: 'text',
    machine_version: 'integer?',
    machine_hash: 'text',
    current_state: freeText,
    current_round_id: uuid,
    status: word<SessionStatus>(),
    meta_json: optional(json<JsonObject>()),
    key: 'text?',
    tags: optional(json<Tags>()),
    subject: 'text?',
    erased: optional(flag),
    forked_from: optional(json<ForkOrigin>()),
    /** The parent of a fork, for filters of lists. */
    parent_id: hidden(optional(uuid)),
    created_at: time,
    updated_at: time,
    revision: 'integer',
    /** The number of the first event: the order of lists. */
    number: hidden('bigint'),
  },
  ['session_id'],
  [
    ['number'],
    ['status', 'number'],
    ['status', 'updated_at'],
    ['machine_name', 'number'],
    ['parent_id', 'number'],
  ],
);

/** Sessions that wait for a person. */
export const sessionWaitsTable = foldedTable(
  'session_waits',
  {
    session_id: uuid,
    machine_name: 'text',
    round_id: uuid,
    reason: word<HumanInputReason>(),
    /** For people: the reason why no decision was reached. */
    detail: freeText,
    since: time,
    /** The position of the event that asks for a person: the order of the inbox. */
    position: hidden('text'),
  },
  ['session_id'],
  [['position'], ['machine_name', 'position']],
);

export const sessionMachines = documents(sessionMachinesTable, 'machine_hash');
export const sessions = documents(sessionsTable, 'session_id', {
  refs: ({ machineHash }) => [[sessionMachines, machineHash]],
  isAtRest: ({ status }) => status === 'done' || status === 'closed',
});
export const sessionWaits = documents(sessionWaitsTable, 'session_id');
