import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { recordedCalls } from '#lib/call-rules';
import { isJsonObject, type Json, jsonText, type RecordedEvent, sha256 } from '#lib/kernel';
import { isExternal, type Verification } from '#lib/workflow';
import { type History, ladder, verifyLadder } from './testing/ladder.js';
import { samples } from './testing/sample-histories.js';

type Path = readonly string[];

const histories = Object.values(samples).map(({ start, script }) => ladder(start).replies(...script));
/** The start of each event's history. */
const starts = new Map(
  Object.values(samples).flatMap(({ start }, index) =>
    (histories[index] ?? []).map((event) => [event, start]),
  ),
);
const anyHistory = fc.constantFrom(...histories);
const isGiven = (event: RecordedEvent) => isExternal(event, recordedCalls);

/** A history, and the place of one of its derived events. */
const derivedPlace = anyHistory.chain((history) => {
  const places = [...history.keys()].filter((place) => !isGiven(history[place] as RecordedEvent));
  return fc.record({ history: fc.constant(history), place: fc.constantFrom(...places) });
});

function verify(history: History): Verification {
  const known = history.find((event) => starts.has(event)) as RecordedEvent;
  const stream = 'solicitation-1';
  return verifyLadder(
    starts.get(known) ?? {},
    history.map((event, revision) => ({ ...event, stream, revision })),
  );
}

function expectDivergenceAt(history: History, revision: number): void {
  expect(verify(history)).toMatchObject({
    open: false,
    divergence: { stream: 'solicitation-1', revision, type: history[revision]?.type },
  });
}

const pathsOf = (value: unknown, path: Path = []): Path[] => [
  path,
  ...(typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([name, member]) => pathsOf(member, [...path, name]))
    : []),
];

function valueAt(value: unknown, path: Path): Json {
  return path.reduce<unknown>((holder, name) => (holder as Record<string, unknown>)[name], value) as Json;
}

function withValue(value: unknown, [name, ...path]: Path, put: unknown): unknown {
  if (name === undefined) return put;
  const entries = Object.entries(value as object).map(([key, member]) => [
    key,
    key === name ? withValue(member, path, put) : member,
  ]);
  return Array.isArray(value) ? entries.map(([, member]) => member as unknown) : Object.fromEntries(entries);
}

function withData(history: History, place: number, path: Path, put: unknown): History {
  const event = history[place] as RecordedEvent;
  const data = withValue(event.data, path, put) as RecordedEvent['data'];
  return history.with(place, { ...event, data });
}

describe('replay of a solicitation', () => {
  it('derives every honest history again', () => {
    for (const history of histories) {
      const external = history.filter(isGiven).length;
      expect(verify(history)).toEqual({ external, derived: history.length - external, open: false });
    }
  });

  it('finds every beginning of an honest history open, not divergent', () => {
    for (const history of histories) {
      for (const length of history.keys()) {
        const beginning = verify(history.slice(0, length));
        expect(beginning).toEqual({ external: beginning.external, derived: beginning.derived, open: true });
      }
    }
  });

  it('finds any single value of a derived event that was changed', () => {
    fc.assert(
      fc.property(derivedPlace, fc.nat(), fc.jsonValue(), ({ history, place }, at, value) => {
        const { data } = history[place] as RecordedEvent;
        const paths = pathsOf(data).slice(1);
        const path = paths[at % paths.length] as Path;
        fc.pre(jsonText(valueAt(data, path)) !== jsonText(value));
        const changed = withData(history, place, path, value);
        expectDivergenceAt(changed, place);
        const pointer = verify(changed).divergence?.pointer ?? '';
        const whole = `/data/${path.map((name) => name.replaceAll('~', '~0').replaceAll('/', '~1')).join('/')}`;
        expect(pointer.startsWith(whole) || whole.startsWith(pointer)).toBe(true);
      }),
      { numRuns: 400 },
    );
  });

  it('finds a member of a derived event that was taken out', () => {
    fc.assert(
      fc.property(derivedPlace, fc.nat(), ({ history, place }, at) => {
        const { data } = history[place] as RecordedEvent;
        const paths = pathsOf(data).slice(1);
        expectDivergenceAt(withData(history, place, paths[at % paths.length] as Path, undefined), place);
      }),
    );
  });

  it('finds members of a derived event in another order', () => {
    fc.assert(
      fc.property(derivedPlace, fc.nat(), ({ history, place }, at) => {
        const { data } = history[place] as RecordedEvent;
        const objects = pathsOf(data).filter((path) => Object.keys(objectAt(data, path)).length > 1);
        const path = objects[at % objects.length];
        fc.pre(path !== undefined);
        const members = Object.entries(objectAt(data, path)).toReversed();
        expectDivergenceAt(withData(history, place, path, Object.fromEntries(members)), place);
      }),
    );
  });

  it('finds a derived event that was taken out, unless it was the end', () => {
    fc.assert(
      fc.property(derivedPlace, ({ history, place }) => {
        const without = history.toSpliced(place, 1);
        fc.pre(place < history.length - 1);
        expectDivergenceAt(without, place);
      }),
    );
  });

  it('finds a repeated event', () => {
    fc.assert(
      fc.property(anyHistory, fc.nat(), (history, at) => {
        const place = at % history.length;
        expectDivergenceAt(history.toSpliced(place, 0, history[place] as RecordedEvent), place + 1);
      }),
    );
  });

  it('finds two events that changed places', () => {
    fc.assert(
      fc.property(anyHistory, fc.nat(), fc.nat(), (history, one, two) => {
        const [first, second] = [one % history.length, two % history.length].toSorted((a, b) => a - b) as [
          number,
          number,
        ];
        fc.pre(first !== second);
        const [a, b] = [history[first], history[second]] as [RecordedEvent, RecordedEvent];
        expectDivergenceAt(history.with(first, b).with(second, a), first);
      }),
    );
  });

  const isReply = (event?: RecordedEvent) =>
    event?.type === 'LlmCallCompleted' || event?.type === 'WebhookCallCompleted';
  const reply = anyHistory.chain((history) => {
    const places = [...history.keys()].filter((place) => isReply(history[place]));
    return fc.record({ history: fc.constant(history), place: fc.constantFrom(...places, -1) });
  });

  it('finds a reply whose body was changed, at the reply', () => {
    fc.assert(
      fc.property(reply, fc.string(), ({ history, place }, content) => {
        const event = history[place];
        fc.pre(event !== undefined && valueAt(event.data, ['body', 'content']) !== content);
        const changed = withData(history, place, ['body', 'content'], content);
        expectDivergenceAt(changed, place);
        expect(verify(changed).divergence?.pointer).toBe('/data/body/sha256');
      }),
    );
  });

  it('finds a reply whose body and checksum were changed, at the first event that would have been another', () => {
    fc.assert(
      fc.property(reply, fc.string(), ({ history, place }, content) => {
        const event = history[place];
        fc.pre(event?.type === 'LlmCallCompleted' && valueAt(event.data, ['status']) === 200);
        const body = {
          encoding: 'utf8',
          content: `not JSON: ${content}`,
          sha256: sha256(`not JSON: ${content}`),
        };
        expectDivergenceAt(withData(history, place, ['body'], body), place + 1);
      }),
    );
  });

  it('never throws for any tampered events', () => {
    fc.assert(
      fc.property(anyHistory, fc.nat(), fc.nat(), fc.jsonValue(), (history, which, at, value) => {
        const places = [...history.keys()].filter((place) => isGiven(history[place] as RecordedEvent));
        const place = places[which % places.length] ?? 0;
        const paths = pathsOf(history[place]?.data);
        const changed = withData(history, place, paths[at % paths.length] ?? [], value);
        const { divergence, open } = verify(changed);
        expect(open).toBe(false);
        expect(divergence?.revision ?? place).toBeGreaterThanOrEqual(place);
      }),
      { numRuns: 600 },
    );
  });
});

function objectAt(data: unknown, path: Path): object {
  const value = valueAt(data, path);
  return isJsonObject(value) ? value : {};
}
