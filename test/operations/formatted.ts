import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, type FormatConfig } from 'oxfmt';

const SETTINGS = join(import.meta.dirname, '../../.oxfmtrc.json');

/** The text as `npm run format` leaves it in this file. @throws Error for a text that is not of the file's language */
export async function formatted(file: string, text: string): Promise<string> {
  const settings = JSON.parse(readFileSync(SETTINGS, 'utf8')) as FormatConfig;
  const { code, errors } = await format(file, text, settings);
  if (errors[0]) throw new Error(`${file}: ${errors[0].message}`);
  return code;
}
