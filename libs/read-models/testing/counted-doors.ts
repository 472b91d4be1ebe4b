import type { Event } from '#lib/kernel';
import { documents, facts, type ReadModel, type Ref, totals } from '../loop/declare.js';
import { foldedTable } from '../loop/folded-table.js';
import { flag, freeText, optional } from '../store/columns.js';
import type { SchemaOf } from '../store/table.js';
import type { PlacedEvent } from './sample-log.js';

// A model with all kinds of rows, over events of specialists that stand for doors: these open and close, and know a neighbour.

export const doorsTable = foldedTable(
  'doors',
  { door_id: 'text', is_open: flag, changes: 'integer', last: 'bigint', neighbour: optional(freeText) },
  ['door_id'],
  [['is_open']],
);
export const openingsTable = foldedTable('openings', { number: 'bigint', door_id: 'text' }, ['number']);
export const countsTable = foldedTable(
  'counts',
  { is_open: flag, events: 'bigint', latest: 'bigint', door_id: 'text' },
  ['is_open'],
);
export type DoorTables = SchemaOf<typeof doorsTable | typeof openingsTable | typeof countsTable>;

export const doors = documents(doorsTable, 'door_id', { isAtRest: ({ changes }) => changes > 5 });
const openings = facts(openingsTable);
const counts = totals(countsTable, { add: ['events'], highest: ['latest'], replace: ['door_id'] });

type Told = Event<string, { readonly neighbour?: string }>;

const neighbourOf = ({ data: { neighbour } }: { data: Told['data'] }): readonly Ref[] =>
  neighbour === undefined ? [] : [[doors, neighbour]];

/** A fold refuses events of this door. */
export interface Faults {
  door?: string;
  /** A document that a fold sees without having asked for it. */
  forgotten?: string;
}

/** `name`: also the name of the model. */
export function doorsModel(faults: Faults = {}): ReadModel<'doors'> {
  return {
    name: 'doors',
    kinds: [doors, openings, counts],
    of: { specialist: [doors] },
    on: {
      specialist: {
        needs: neighbourOf,
        fold: (page, { type, data, number }, doorId) => {
          const isOpen = type === 'SpecialistEnabled';
          const door = page.change(doors, doorId);
          const neighbour = (data as Told['data']).neighbour;
          const seen = neighbour === undefined ? undefined : page.see(doors, neighbour);
          const known = seen && { neighbour: `${seen.doorId} ${String(seen.isOpen)}` };
          if (door) Object.assign(door, { isOpen, changes: door.changes + 1, last: number, ...known });
          else page.put(doors, { doorId, isOpen, changes: 1, last: number, ...known });
          if (isOpen) page.add(openings, { number, doorId });
          page.count(counts, { isOpen, events: 1, latest: number, doorId });
          // In the middle of a page, after changes of rows.
          if (doorId === faults.door) throw new Error(`${doorId} is not welcome`);
          if (faults.forgotten !== undefined) page.see(doors, faults.forgotten);
        },
      },
    },
  };
}

export function opened(id: string, neighbour?: string): PlacedEvent {
  const data = neighbour === undefined ? {} : { neighbour };
  return { category: 'specialist', id, event: { type: 'SpecialistEnabled', data } };
}

export function closed(id: string): PlacedEvent {
  return { category: 'specialist', id, event: { type: 'SpecialistDisabled', data: {} } };
}
