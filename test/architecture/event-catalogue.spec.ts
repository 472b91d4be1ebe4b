import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { eventCatalogue } from '#lib/engine';
import { runtimeEventDefinitions } from '#lib/workflow';
import { sessionHistories } from '../replay/golden-histories.js';

const page = readFileSync(join(import.meta.dirname, '../../docs/events.md'), 'utf8');

describe('the event catalogue', () => {
  it('lists exactly the types of the code', () => {
    const rows = page.split('\n').filter((line) => line.startsWith('| `'));
    const listed = rows.flatMap((row) =>
      [...(row.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map(([, type]) => type),
    );
    expect(new Set(listed)).toEqual(new Set(eventCatalogue().types));
    expect(listed).toHaveLength(eventCatalogue().types.length);
  });

  it('has a sample of every type of session, solicitation, arbitration and evaluation event in the recorded histories', () => {
    const recorded = new Set(
      sessionHistories.all().flatMap(({ history }) => history.events.map(({ type }) => type)),
    );
    const others =
      /^(Machine|Gate|Proposer|ArbiterRegistered|Specialist|Person|Task|Exemplar|AnswerRecorded|KeyBound|Log|Reaction|Delivery|Hook|FunctionCallFailed|BudgetCheckFailed|Tool|Sandbox|MessageSent|Agent|Conversation|Turn|Directive|HistoryCompacted|Experiment|Subject|ContentExported|HistoryExported)/;
    const runtime = new Set(Object.keys(runtimeEventDefinitions));
    expect(
      eventCatalogue().types.filter(
        (type) => !others.test(type) && !runtime.has(type) && !recorded.has(type),
      ),
    ).toEqual([]);
  });
});
