import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '#lib/kernel/testing';
import { InvalidSetting } from './setting.js';
import { readPrices } from './setting-files.js';

const models = { 'gpt-4o-mini': { inputPerMillion: 0.15, outputPerMillion: 0 } };
const version = { version: '2026-11', from: '2026-11-01T00:00:00Z', currency: 'USD', models };

describe('the price table', () => {
  let dir: string;
  let file: string;

  beforeEach(() => {
    dir = temporaryFolder();
    file = join(dir, 'prices.json');
  });

  const read = (text: string) => {
    writeFileSync(file, text);
    return readPrices(file);
  };

  it('is empty when no file is named', () => {
    expect(readPrices(undefined)).toEqual([]);
  });

  it('is the versions that the file holds', () => {
    expect(read(JSON.stringify([version, { ...version, version: 'next' }]))).toEqual([
      version,
      { ...version, version: 'next' },
    ]);
    expect(read('[]')).toEqual([]);
  });

  it.each([
    ['no list', version, 'it is not a list of versions'],
    ['nothing but null', [null], 'its version 0 has no `version`'],
    ['a version without a name', [{ ...version, version: '' }], 'its version 0 has no `version`'],
    ['a version of no time', [version, { ...version, from: 'soon' }], 'its version 1 has no `from`'],
    [
      'a version of a time without an offset, which differs between time zones',
      [{ ...version, from: '2026-11-01T00:00:00' }],
      'its version 0 has no `from`, an ISO 8601 time',
    ],
    ['a version of a day that is none', [{ ...version, from: '2026-02-30' }], 'its version 0 has no `from`'],
    ['a version without a currency', [{ ...version, currency: undefined }], 'has no `currency`'],
    ['a model for less than nothing', [priced({ inputPerMillion: -1 })], 'has no `models`'],
    ['a model with a price in words', [priced({ outputPerMillion: '1' })], 'has no `models`'],
    ['a model without a price', [priced({ outputPerMillion: undefined })], 'has no `models`'],
  ])('is refused where the file holds %s', (_what, table, why) => {
    const reading = () => read(JSON.stringify(table));
    expect(reading).toThrow(InvalidSetting);
    expect(reading).toThrow(why);
  });

  it('X-S12: refuses a missing file or one that is not JSON, and quotes neither the value nor the file', () => {
    const fix = 'Write it as docs/operations.md shows, or unset the variable.';
    expect(() => read('sk-secret')).toThrow(
      new InvalidSetting('REDIAL_PRICES', 'its file is not JSON', fix.slice(0, -1)),
    );
    expect(() => readPrices('sk-secret')).toThrow(
      `[InvalidSetting] REDIAL_PRICES: its file cannot be read (ENOENT). ${fix}`,
    );
  });
});

function priced(price: object): object {
  return { ...version, models: { 'gpt-4o-mini': { inputPerMillion: 1, outputPerMillion: 1, ...price } } };
}
