import { readFileSync } from 'node:fs';
import { isJsonObject, type JsonObject } from '#lib/kernel';
import type { PriceTable } from '#lib/projections';
import { InvalidSetting } from './environment.js';

const isPrice = (value: unknown): boolean =>
  isJsonObject(value) && [value['inputPerMillion'], value['outputPerMillion']].every(isAmount);
const isAmount = (value: unknown): boolean =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0;
const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';

const RULES: readonly (readonly [fits: (version: JsonObject) => boolean, problem: string])[] = [
  [({ version }) => isText(version), 'has no `version`, a text'],
  [
    ({ from }) => typeof from === 'string' && !Number.isNaN(Date.parse(from)),
    'has no `from`, an ISO 8601 time',
  ],
  [({ currency }) => isText(currency), 'has no `currency`, like "USD"'],
  [
    ({ models }) => isJsonObject(models) && Object.values(models).every(isPrice),
    'has no `models`, each with `inputPerMillion` and `outputPerMillion` from 0',
  ],
];

/** The price table in a JSON file: a list of versions. None without a file. @throws InvalidSetting */
export function readPrices(file: string | undefined): PriceTable {
  if (file === undefined) return [];
  const table = parsed(file);
  if (!Array.isArray(table)) throw invalid(file, 'it is no list of versions');
  const [problem] = table.flatMap((version: unknown, place) => {
    const [, why] = RULES.find(([fits]) => !isJsonObject(version) || !fits(version)) ?? [];
    return why === undefined ? [] : [`its version ${place} ${why}`];
  });
  if (problem !== undefined) throw invalid(file, problem);
  return table as PriceTable;
}

function parsed(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw invalid(file, error instanceof Error ? error.message : String(error), error);
  }
}

function invalid(file: string, why: string, cause?: unknown): InvalidSetting {
  return new InvalidSetting(
    `REDIAL_PRICES (${file})`,
    why,
    'Write it as docs/operations.md shows, or unset the variable',
    { cause },
  );
}
