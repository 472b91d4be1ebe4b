import { ENGINE_ACTOR } from '#lib/kernel';
import type { Rule } from './rule.js';

/** Ids chosen by callers. */
const ID = /^[A-Za-z0-9][A-Za-z0-9._@-]{0,127}$/;

/** Names that records use in place of a specialist's id: for the built-in one of `run`, for an operator, and for timers. */
const RESERVED = ['default', 'operator', 'timer'];

/** Checked first, for every specialist. */
export const NAME_RULES: readonly Rule[] = [
  [
    (r) => !ID.test(r.specialistId),
    'its id is not of the form of ids',
    `Choose one that matches ${ID.source}`,
  ],
  [
    (r) => RESERVED.includes(r.specialistId),
    'its id is reserved for decisions without a specialist',
    'Choose another id',
  ],
  [
    (r) => !ID.test(r.machineName),
    'its machine name is not of the form of ids',
    `Name a machine that matches ${ID.source}`,
  ],
  [
    (r) => r.personId !== undefined && r.isHuman !== true,
    'it names a person and is not human',
    'Leave out personId, or set isHuman',
  ],
  [
    (r) => r.personId !== undefined && !ID.test(r.personId),
    'its person id is not of the form of ids',
    `Name a person by an id that matches ${ID.source}`,
  ],
  [
    (r) => r.isHuman === true && (r.personId ?? r.specialistId) === ENGINE_ACTOR,
    'its person would have the id of the engine, which is no person',
    'Choose another id, or name a person by personId',
  ],
];
