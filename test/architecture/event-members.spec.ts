import { describe, expect, it } from '@jest/globals';
import { eventCatalogue } from '#lib/engine';
import { llmEventDefinitions } from '#lib/call-rules';
import type { FallbackTaken } from '#lib/decisions/solicitation';
import { type DeclaredMembers, metadataMembers } from '#lib/event-store';
import { undeclaredMembers } from '#lib/event-store/testing';
import { isJsonObject, type Json, type JsonObject, parseJsonObject } from '#lib/kernel';
import { recordedExamples } from '../operations/examples.js';
import { runHistories, sessionHistories } from '../replay/golden-histories.js';

const catalogue = eventCatalogue();

interface Recorded {
  readonly type: string;
  readonly data: JsonObject;
  readonly metadata: JsonObject;
}

/** `type: pointer` of each member that an event has and its declaration does not. */
function undeclared({ type, data, metadata }: Recorded): readonly string[] {
  const { schemaVersion = 1 } = metadata;
  const kinds = catalogue.membersOf(type)[Number(schemaVersion) - 1];
  const pointers = [
    ...(kinds === undefined ? ['/data'] : undeclaredMembers(kinds, data, '/data')),
    ...undeclaredMembers(metadataMembers, metadata, '/metadata'),
  ];
  return pointers.map((pointer) => `${type}: ${pointer}`);
}

function eventsIn(value: Json | undefined): readonly Recorded[] {
  if (Array.isArray(value)) return value.flatMap(eventsIn);
  if (!isJsonObject(value)) return [];
  const { type, data, metadata } = value;
  const inside = Object.values(value).flatMap(eventsIn);
  if (typeof type !== 'string' || !catalogue.types.includes(type) || !isJsonObject(data)) return inside;
  return [{ type, data, metadata: isJsonObject(metadata) ? metadata : {} }, ...inside];
}

describe('the members of events', () => {
  it('are declared for every version of every type of the catalogue', () => {
    const whole = catalogue.types.filter((type) =>
      catalogue.membersOf(type).some((kinds) => typeof kinds === 'string'),
    );
    expect(whole).toEqual([]);
  });

  it.each([...sessionHistories.all(), ...runHistories.all()])(
    'that the history $name holds are all declared',
    ({ history }) => {
      const found = history.events.flatMap(({ type, data, metadata }) =>
        undeclared({ type, data: parseJsonObject(data) ?? {}, metadata: parseJsonObject(metadata) ?? {} }),
      );
      expect([...new Set(found)]).toEqual([]);
    },
  );

  it('include those of a step down the ladder of solicitations, whose type of event calls of models have, too', () => {
    const members: DeclaredMembers<FallbackTaken['data']> = llmEventDefinitions.FallbackTaken.members;
    expect(Object.keys(members)).toContain('argumentErrors');
  });

  it('that the examples of operations hold are all declared', () => {
    const events = eventsIn(recordedExamples() as object as Json);
    expect(events.length).toBeGreaterThan(3);
    expect([...new Set(events.flatMap(undeclared))]).toEqual([]);
  });
});
