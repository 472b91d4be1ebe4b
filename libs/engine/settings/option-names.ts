import { checkShape, schemaProblem } from '#lib/json-schema';
import type { JsonObject } from '#lib/kernel';
import { OPTIONS, type ProviderOptions, type RedialOptions } from './redial-options.js';
import { InvalidSetting, isSetting, type Tree } from './setting.js';
import { PROVIDER_MEMBERS } from './setting-files.js';

/** A schema of an object with these members alone: a misspelt member would have no effect. */
function closed(properties: JsonObject): JsonObject {
  return { properties, additionalProperties: false };
}

function namesOf(tree: Tree): JsonObject {
  const names = Object.entries(tree).map(([name, one]) => [name, isSetting(one) ? {} : closed(namesOf(one))]);
  return Object.fromEntries(names) as JsonObject;
}

const PROVIDER = { ...PROVIDER_MEMBERS, calls: {} } satisfies {
  readonly [Name in keyof ProviderOptions]-?: object;
};
const names = Object.keys(PROVIDER).map((name) => [name, {}]);
const providers = { additionalProperties: closed(Object.fromEntries(names) as JsonObject) };
const SCHEMA = closed({ ...namesOf(OPTIONS), providers });

/** @throws InvalidSetting for members that options do not have, by name alone: a value may be a secret */
export function checkOptionNames(options: RedialOptions): void {
  const [first] = checkShape(SCHEMA, options).errors.map(schemaProblem);
  if (first)
    throw new InvalidSetting('the options', `${first.path} ${first.message}`, 'Correct or remove it');
}
