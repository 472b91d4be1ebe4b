import type { JsonObject } from '#lib/kernel';
import type { OpenProposal } from '#lib/decisions/session';
import { facts } from '../loop/declare.js';
import { foldedTable } from '../loop/folded-table.js';
import { flag, freeText, hidden, json, optional, time, uuid } from '../store/columns.js';

/** Decisions of people. */
export const exemplarsTable = foldedTable(
  'exemplars',
  {
    session_id: uuid,
    round_id: uuid,
    machine_name: 'text',
    /** The state of the decision. */
    state: freeText,
    /** The person. */
    specialist_id: 'text',
    transition_name: freeText,
    to_state: freeText,
    reasoning: freeText,
    meta_json: optional(json<JsonObject>()),
    /** In the order they arrived. */
    proposals: json<readonly OpenProposal[]>(),
    /** Decided outside of this log, which has neither the session nor the round. */
    imported: flag,
    /** The facts of an imported one, if it has any; other exemplars have those of their session. */
    session_meta_json: hidden(optional(json<JsonObject>())),
    decided_at: time,
    number: hidden('integer'),
  },
  ['number'],
  [
    ['machine_name', 'number'],
    ['machine_name', 'state', 'number'],
  ],
);

export const exemplars = facts(exemplarsTable);
