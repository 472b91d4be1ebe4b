import type { Reading } from './readings.js';

/** UTF-16 and UTF-32 of ASCII, read as ASCII. */
export const ZEROS: Reading = { tokens: /\0+/g, read: () => '' };

/** Base64url and base64 broken into lines, read as plain base64. */
export const BASE64_TEXT: Reading = {
  tokens: /[\r\n]+|[-_]/g,
  read: (token) => (token === '-' ? '+' : token === '_' ? '/' : ''),
};

/** Hex digits without what stands between the bytes. */
export const HEX_TEXT: Reading = { tokens: /0x|[\s:,_-]+/gi, read: () => '' };

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

/** A reference of HTML to a character; the token itself where it refers to none that is known. */
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

/** The HTML names of the characters of ASCII that are no letters and digits, in lower case. */
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
