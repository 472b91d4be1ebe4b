import { jsonText } from '#lib/kernel';

const MARK = 'json:';
/** SQLite would replace the first kind, PostgreSQL refuses the second. */
const UNSTORABLE = /\p{Surrogate}|\0/u;

/**
 * Text from outside as a column keeps it: as it is, unless it holds an unpaired surrogate or a NUL, or looks like what stands
 * for such a text. Equal texts are stored alike, so a filter compares stored forms.
 */
export function storedText(text: string): string {
  return UNSTORABLE.test(text) || text.startsWith(MARK) ? `${MARK}${jsonText(text)}` : text;
}

export function textFromStored(stored: string): string {
  return stored.startsWith(MARK) ? (JSON.parse(stored.slice(MARK.length)) as string) : stored;
}
