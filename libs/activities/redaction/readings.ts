/** One decoding of a text, in which each escape is replaced by its character. Pure, in time linear in the text. */
export interface Reading {
  /** Global. Tokens do not overlap, and none is longer than 64 characters: an unbounded repetition exhausts the stack. */
  readonly tokens: RegExp;
  readonly read: (token: string) => string;
}

/** From `start`, before `end`. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

export function readAs(text: string, { tokens, read }: Reading): string {
  return text.replaceAll(tokens, read);
}

/** Maps ranges of the read text to the original text. */
export function sourceRanges(
  text: string,
  { tokens, read }: Reading,
  ranges: readonly Range[],
): readonly Range[] {
  if (ranges.length === 0) return [];
  const places: { readonly from: number; readonly to: number; readonly source: Range }[] = [];
  let surplus = 0;
  for (const { 0: token, index } of text.matchAll(tokens)) {
    const from = index - surplus;
    const to = from + read(token).length;
    places.push({ from, to, source: { start: index, end: index + token.length } });
    surplus += token.length - (to - from);
  }
  const sourceOf = (at: number): Range => {
    const place = places[lastAtMost(at, places.length, (n) => places[n]?.from ?? 0)];
    if (place && at < place.to) return place.source;
    const start = place ? place.source.end + at - place.to : at;
    return { start, end: start + 1 };
  };
  return ranges.map(({ start, end }) => ({ start: sourceOf(start).start, end: sourceOf(end - 1).end }));
}

/** The last index whose value is at most `limit`, for values that ascend with the index; -1 if there is none. */
function lastAtMost(limit: number, count: number, valueAt: (index: number) => number): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (valueAt(middle) <= limit) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** UTF-16 and UTF-32 of ASCII, read as ASCII. */
export const ZEROS: Reading = { tokens: /\0{1,64}/g, read: () => '' };

/** Base64url and base64 broken into lines, read as plain base64. */
export const BASE64_TEXT: Reading = {
  tokens: /[\r\n]{1,64}|[-_]/g,
  read: (token) => (token === '-' ? '+' : token === '_' ? '/' : ''),
};

/** Hex digits without the separators between the bytes. */
export const HEX_TEXT: Reading = { tokens: /0x|[\s:,_-]{1,64}/gi, read: () => '' };

/** One level of the escapes of JSON, JavaScript, URLs and HTML, in a text whose characters are bytes of UTF-8. */
export const ESCAPES: Reading = {
  tokens:
    /\\u[dD][89a-bA-B][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|\\u[\da-fA-F]{4}|\\u\{[\da-fA-F]{1,8}\}|\\x[\da-fA-F]{2}|\\[^ux]|%[\da-fA-F]{2}|&#\d{1,10};?|&#[xX][\da-fA-F]{1,8};?|&[a-zA-Z]{2,16};/gs,
  read: unescaped,
};

function unescaped(token: string): string {
  if (token.startsWith('%')) return String.fromCharCode(Number.parseInt(token.slice(1), 16));
  return token.startsWith('&') ? fromHtml(token) : fromJson(token);
}

function fromJson(token: string): string {
  const second = token[1] ?? '';
  if (second !== 'u' && second !== 'x') return SHORT[second] ?? second;
  const [, first = '', pair] = token.split('\\');
  const code = codeOf(first);
  return pair === undefined ? ofCode(code, token) : inBytes(String.fromCharCode(code, codeOf(pair)));
}

/** The code of `u00e9`, `u{e9}` or `xe9`. */
function codeOf(escape: string): number {
  return Number.parseInt(escape.startsWith('u{') ? escape.slice(2) : escape.slice(1), 16);
}

/** The character that an HTML reference stands for; the token itself if the reference is unknown. */
function fromHtml(token: string): string {
  const name = token.endsWith(';') ? token.slice(1, -1) : token.slice(1);
  if (!name.startsWith('#')) return NAMED.get(name.toLowerCase()) ?? token;
  const isHex = name[1] === 'x' || name[1] === 'X';
  return ofCode(isHex ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1)), token);
}

function ofCode(code: number, token: string): string {
  if (code < 0x80) return String.fromCharCode(code);
  return code <= 0x10ffff ? inBytes(String.fromCodePoint(code)) : token;
}

function inBytes(text: string): string {
  return Buffer.from(text).toString('latin1');
}

const SHORT: { readonly [letter: string]: string } = { b: '\b', t: '\t', n: '\n', f: '\f', r: '\r' };

/** The HTML names of the ASCII characters that are neither letters nor digits, in lower case. */
const NAMED: ReadonlyMap<string, string> = new Map([
  ['tab', '\t'],
  ['newline', '\n'],
  ['excl', '!'],
  ['quot', '"'],
  ['num', '#'],
  ['dollar', '$'],
  ['percnt', '%'],
  ['amp', '&'],
  ['apos', "'"],
  ['lpar', '('],
  ['rpar', ')'],
  ['ast', '*'],
  ['plus', '+'],
  ['comma', ','],
  ['period', '.'],
  ['sol', '/'],
  ['colon', ':'],
  ['semi', ';'],
  ['lt', '<'],
  ['equals', '='],
  ['gt', '>'],
  ['quest', '?'],
  ['commat', '@'],
  ['lsqb', '['],
  ['lbrack', '['],
  ['bsol', '\\'],
  ['rsqb', ']'],
  ['rbrack', ']'],
  ['hat', '^'],
  ['lowbar', '_'],
  ['underbar', '_'],
  ['grave', '`'],
  ['lcub', '{'],
  ['lbrace', '{'],
  ['verbar', '|'],
  ['vert', '|'],
  ['rcub', '}'],
  ['rbrace', '}'],
]);
