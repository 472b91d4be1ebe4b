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

/** The spellings of secrets to search for, each character of them one byte. */
export interface Needles {
  readonly plain: readonly string[];
  /** With zeros between the characters: only a text with zeros can hold them, and in such a text the plain ones may be spread. */
  readonly wide: readonly string[];
  readonly base64: readonly string[];
  readonly hex: readonly string[];
}

/** No part of a secret that is shorter is taken for the beginning of one. */
const SHORTEST = 8;

/** Escapes within escapes, such as JSON in JSON, are read to this depth. */
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

/** In UTF-8, UTF-16 of both byte orders, and with `+` for a space as forms have it. */
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

/** The characters of base64 that hold bits of the secret alone, where `before` bytes (modulo three) precede it. */
function base64Within(secret: Buffer, before: number): string {
  const text = Buffer.concat([Buffer.alloc(before), secret]).toString('base64');
  return text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + secret.length) * 8) / 6));
}

/**
 * The ranges of secrets in a text whose characters are bytes, in any escape or encoding. In no order; ranges may overlap.
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
