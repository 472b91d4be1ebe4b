import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { columnIs, dataset } from '#lib/read-models';
import { rowWriter } from './written-rows.rules.js';

const cases = dataset({
  name: 'cases',
  about: 'Cases',
  columns: {
    case_id: columnIs.text('Id'),
    cost_usd: columnIs.number('Cost'),
    is_human: columnIs.flag('By a person'),
    meta_json: columnIs.json('Facts'),
  },
  parts: () => [],
});

/** The cells of CSV, as RFC 4180 reads them. */
function cellsOf(csv: string): readonly (readonly string[])[] {
  const rows: string[][] = [[]];
  const cell = /(?:"((?:[^"]|"")*)"|([^",\n]*))([,\n])/gy;
  for (const [, quoted, bare = '', end] of csv.matchAll(cell)) {
    rows.at(-1)?.push(quoted === undefined ? bare : quoted.replaceAll('""', '"'));
    if (end === '\n') rows.push([]);
  }
  return rows.slice(0, -1);
}

const safe = (text: string) => (/^[=+\-@]/.test(text) ? `'${text}` : text);
const storable = fc.string({ unit: 'grapheme' }).filter((text) => !text.startsWith('json:'));

describe('the rows of an export', () => {
  it('are cells of CSV, whatever is in them; one that a spreadsheet would take for a formula has an apostrophe', () => {
    const text = fc.oneof(storable, fc.constantFrom('=1+1', '+1', '-1', '@a', 'a,b', 'a"b', 'a\nb', 'a\rb'));
    fc.assert(
      fc.property(fc.array(fc.record({ case_id: text, facts: fc.dictionary(text, text) })), (all) => {
        const { head, lines } = rowWriter(cases, 'csv');
        const rows = all.map(({ case_id, facts }) => ({
          case_id,
          cost_usd: 0.5,
          is_human: 1,
          meta_json: JSON.stringify(facts),
        }));
        expect(cellsOf(head + lines(rows))).toEqual([
          ['caseId', 'costUSD', 'isHuman', 'metaJson'],
          ...rows.map(({ case_id, meta_json }) => [safe(case_id), '0.5', 'true', safe(meta_json)]),
        ]);
      }),
    );
  });

  it('are lines of JSON with the same members each; what is not known is null', () => {
    const { head, lines } = rowWriter(cases, 'jsonl');
    const known = { case_id: 'json:"\\u0000"', cost_usd: 1e-7, is_human: 0, meta_json: '{"a":[1]}' };
    const absent = { case_id: '=', cost_usd: null, is_human: 1, meta_json: null };
    const parsed = (head + lines([known, absent])).trimEnd().split('\n');
    expect(parsed.map((line) => JSON.parse(line) as object)).toEqual([
      { caseId: '\0', costUSD: 1e-7, isHuman: false, metaJson: { a: [1] } },
      { caseId: '=', costUSD: null, isHuman: true, metaJson: null },
    ]);
  });

  it('leave columns out, and have a head in CSV without a row', () => {
    const { head, lines } = rowWriter(cases, 'csv', ['meta_json']);
    expect(head + lines([])).toBe('caseId,costUSD,isHuman\n');
    expect(lines([{ case_id: 'a', cost_usd: null, is_human: 0, meta_json: '{}' }])).toBe('a,,false\n');
  });
});
