import { isJsonObject, type JsonObject } from '#lib/kernel';
import type { PriceTable } from '#lib/projections';
import { InvalidSetting } from './defaults.js';
import { readSettingFile } from './read-setting-file.js';

const isPrice = (value: unknown): boolean =>
  isJsonObject(value) &&
  [value['inputPerMillion'], value['outputPerMillion']].every(isAmount) &&
  [value['cacheReadPerMillion'], value['cacheWritePerMillion']].every(
    (amount) => amount === undefined || isAmount(amount),
  );
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
    'has no `models`, each with `inputPerMillion` and `outputPerMillion`, and maybe `cacheReadPerMillion` and `cacheWritePerMillion`, from 0',
  ],
];

/** The price table in a JSON file: a list of versions. None without a file. @throws InvalidSetting */
export function readPrices(file: string | undefined): PriceTable {
  if (file === undefined) return [];
  const table = readSettingFile(file, invalid);
  if (!Array.isArray(table)) throw invalid('it is no list of versions');
  const [problem] = table.flatMap((version: unknown, index) => {
    const [, why] = RULES.find(([fits]) => !isJsonObject(version) || !fits(version)) ?? [];
    return why === undefined ? [] : [`its version ${index} ${why}`];
  });
  if (problem !== undefined) throw invalid(problem);
  return table as PriceTable;
}

/** Neither the value of the setting nor anything in its file is in the message: either may be a secret by mistake. */
function invalid(why: string): InvalidSetting {
  const fix = 'Write it as docs/operations.md shows, or unset the variable';
  return new InvalidSetting('REDIAL_PRICES', why, fix);
}
