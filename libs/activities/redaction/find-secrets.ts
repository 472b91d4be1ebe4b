import {
  BASE64_TEXT,
  ESCAPES,
  HEX_TEXT,
  type Range,
  readAs,
  type Reading,
  sourceRanges,
  ZEROS,
} from './readings.js';

/** The spellings of secrets to search for. Each character is one byte. */
export interface Needles {
  readonly plain: readonly string[];
  /** Forms with zeros between the characters. Only a text with zeros can hold them, and in such a text the plain forms may have zeros, too. */
  readonly wide: readonly string[];
  readonly base64: readonly string[];
  readonly hex: readonly string[];
}

/** A shorter part of a secret does not count as its beginning. */
const SHORTEST = 8;

/** The levels of nested escapes, such as JSON in JSON, that are read. */
const LEVELS = 3;

export function needlesOf(secrets: readonly string[]): Needles {
  const bytes = secrets.map((secret) => Buffer.from(secret));
  const forms = unique(secrets.flatMap(plainForms));
  return {
    plain: forms.filter((form) => !form.includes('\0')),
    wide: forms.filter((form) => form.includes('\0')),
    base64: unique(bytes.flatMap((secret) => [0, 1, 2].map((before) => base64Within(secret, before)))),
    hex: unique(bytes.flatMap((secret) => [secret.toString('hex'), secret.toString('hex').toUpperCase()])),
  };
}

/** The secret in UTF-8, in UTF-16 of both byte orders, and with `+` for a space as in forms. */
function plainForms(secret: string): readonly string[] {
  const utf16 = Buffer.from(secret, 'utf16le');
  const forms = [
    Buffer.from(secret),
    utf16,
    Buffer.from(utf16).swap16(),
    Buffer.from(secret.replaceAll(' ', '+')),
  ];
  return forms.map((form) => form.toString('latin1'));
}

/** The characters of base64 that hold only bits of the secret, if `before` bytes (modulo three) precede it. */
function base64Within(secret: Buffer, before: number): string {
  const text = Buffer.concat([Buffer.alloc(before), secret]).toString('base64');
  return text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + secret.length) * 8) / 6));
}

/**
 * The ranges of secrets in a text whose characters are bytes, in any escape or encoding. They are in no order, and may overlap.
 * @param isCut the text may end within a secret: its beginning counts, too
 */
export function findSecrets(
  text: string,
  needles: Needles,
  isCut: boolean,
  levels = LEVELS,
): readonly Range[] {
  const { plain, base64, hex } = needles;
  const found = [
    ...occurrences(text, plain, isCut),
    ...(text.includes('\0') ? spread(text, needles, isCut) : []),
    ...occurrencesAs(text, BASE64_TEXT, base64, isCut),
    ...occurrencesAs(text, HEX_TEXT, hex, isCut),
  ];
  if (levels === 0) return found;
  const unescaped = readAs(text, ESCAPES);
  if (unescaped === text) return found;
  return [...found, ...sourceRanges(text, ESCAPES, findSecrets(unescaped, needles, isCut, levels - 1))];
}

function spread(text: string, { plain, wide }: Needles, isCut: boolean): readonly Range[] {
  return [...occurrences(text, wide, isCut), ...occurrencesAs(text, ZEROS, plain, isCut)];
}

function occurrencesAs(
  text: string,
  reading: Reading,
  needles: readonly string[],
  isCut: boolean,
): readonly Range[] {
  return sourceRanges(text, reading, occurrences(readAs(text, reading), needles, isCut));
}

function occurrences(text: string, needles: readonly string[], isCut: boolean): readonly Range[] {
  return needles.flatMap((needle) => {
    const found: Range[] = [];
    for (let start = text.indexOf(needle); start >= 0; start = text.indexOf(needle, start + needle.length)) {
      found.push({ start, end: start + needle.length });
    }
    return isCut ? [...found, ...beginningAtEnd(text, needle)] : found;
  });
}

function beginningAtEnd(text: string, needle: string): readonly Range[] {
  for (let length = Math.min(needle.length - 1, text.length); length >= SHORTEST; length -= 1) {
    if (text.endsWith(needle.slice(0, length))) return [{ start: text.length - length, end: text.length }];
  }
  return [];
}

function unique(needles: readonly string[]): readonly string[] {
  return [...new Set(needles)].filter(({ length }) => length >= SHORTEST);
}
