import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { jsonText, sha256 } from '#lib/kernel';
import { verifyWorkflow } from '#lib/legacy-workflow';
import { recordedEvents } from '#lib/legacy-workflow/testing';
import type { ArbitrationEvent } from './arbitration.events.js';
import { arbitration } from './arbitration.workflow.js';
import { arbitrated, byWebhook, replies, samples } from './testing/index.js';

type History = readonly ArbitrationEvent[];

const histories = Object.values(samples);
const isGiven = ({ type }: ArbitrationEvent) => /Started$|Completed$|CallFailed$/.test(type);
const verify = (history: History) => verifyWorkflow(arbitration, recordedEvents(history, 'arbitration-1'));

/** A history, and the place of one of its events that pure code derived. */
const derivedPlace = fc.constantFrom(...histories).chain((history) => {
  const places = [...history.keys()].filter((place) => !isGiven(history[place] as ArbitrationEvent));
  return fc.record({ history: fc.constant(history), place: fc.constantFrom(...places) });
});

function expectDivergenceAt(history: History, revision: number): void {
  expect(verify(history)).toMatchObject({
    open: false,
    divergence: { stream: 'arbitration-1', revision, type: history[revision]?.type },
  });
}

function withData(history: History, place: number, data: object): History {
  return history.with(place, { ...history[place], data } as ArbitrationEvent);
}

describe('replay of an arbitration', () => {
  it.each(Object.entries(samples))('derives the history of %s again', (_, history) => {
    const given = history.filter(isGiven).length;
    expect(verify(history)).toEqual({ given, derived: history.length - given, open: false });
  });

  it('finds every beginning of an honest history open, not divergent', () => {
    for (const history of histories) {
      for (const length of history.keys()) {
        const beginning = verify(history.slice(0, length));
        expect(beginning).toEqual({ given: beginning.given, derived: beginning.derived, open: true });
      }
    }
  });

  it('finds any member of a derived event that was changed, or taken out', () => {
    fc.assert(
      fc.property(
        derivedPlace,
        fc.nat(),
        fc.option(fc.jsonValue(), { nil: undefined }),
        ({ history, place }, at, value) => {
          const data = history[place]?.data as Record<string, unknown>;
          const names = Object.keys(data);
          const name = names[at % names.length] ?? '';
          fc.pre(value === undefined || jsonText(data[name]) !== jsonText(value));
          expectDivergenceAt(withData(history, place, { ...data, [name]: value }), place);
        },
      ),
    );
  });

  it('finds members of a derived event in another order', () => {
    fc.assert(
      fc.property(derivedPlace, ({ history, place }) => {
        const members = Object.entries(history[place]?.data as object);
        fc.pre(members.length > 1);
        expectDivergenceAt(withData(history, place, Object.fromEntries(members.toReversed())), place);
      }),
    );
  });

  it('finds a derived event that was taken out, unless it was the end, and one that stands there twice', () => {
    fc.assert(
      fc.property(derivedPlace, ({ history, place }) => {
        expectDivergenceAt(history.toSpliced(place + 1, 0, history[place] as ArbitrationEvent), place + 1);
        fc.pre(place < history.length - 1);
        expectDivergenceAt(history.toSpliced(place, 1), place);
      }),
    );
  });

  it('finds a reply that its checksum does not fit, and one that says something else with a checksum that does', () => {
    const history = arbitrated(byWebhook, [replies(200, { consensusReached: false })]);
    const { body, ...reply } = (history[2] as ArbitrationEvent).data as { body: object };
    const content = '{"consensusReached":true,"winningProposalId":"proposal-1"}';
    const damaged = withData(history, 2, { ...reply, body: { ...body, content } });
    expect(verify(damaged).divergence).toMatchObject({ revision: 2, pointer: '/data/body/sha256' });
    const mended = withData(history, 2, { ...reply, body: { ...body, content, sha256: sha256(content) } });
    expectDivergenceAt(mended, 3);
  });
});
