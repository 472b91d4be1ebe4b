import { jsonText } from '#lib/kernel';

const LONGEST = 300;

/** The beginning of the JSON of a value, for the message of a failed test. */
export function shortly(value: unknown): string {
  return value === undefined ? 'nothing' : jsonText(value).slice(0, LONGEST);
}
