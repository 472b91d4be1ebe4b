import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { redactedBody } from '../http/recorded-exchange.js';
import { REDACTED, Redactor } from './redactor.js';

const SECRET = 'sk-canary/0123+"é_b=';

type Encode = (secret: string) => string;
const eachCharacter =
  (spelled: (character: string) => string): Encode =>
  (secret) =>
    Array.from(secret, spelled).join('');
const hex4 = (character: string) => character.charCodeAt(0).toString(16).padStart(4, '0');
const base64 = (secret: string) => Buffer.from(secret).toString('base64');
const html = (secret: string) =>
  secret.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('/', '&sol;').replaceAll('+', '&#43;');
const json = (secret: string) => JSON.stringify(secret).slice(1, -1);

const encodings: { readonly [name: string]: Encode } = {
  'as it is': (secret) => secret,
  base64,
  'base64url without padding': (secret) => Buffer.from(secret).toString('base64url'),
  'base64 in lines': (secret) => base64(secret).replaceAll(/(.{7})/g, '$1\r\n'),
  'base64 in a JSON string': (secret) =>
    json(base64(secret).replaceAll(/(.{7})/g, '$1\n')).replaceAll('/', String.raw`\/`),
  'base64 in a URL': (secret) => encodeURIComponent(base64(secret)),
  hex: (secret) => Buffer.from(secret).toString('hex'),
  'hex in upper case with colons': (secret) =>
    Buffer.from(secret)
      .toString('hex')
      .toUpperCase()
      .replaceAll(/(..)(?=.)/g, '$1:'),
  'a list of hex numbers': (secret) => Buffer.from(secret).toString('hex').replaceAll(/(..)/g, '0x$1, '),
  'percent, all of it': (secret) =>
    [...Buffer.from(secret)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
  'percent, where a URL needs it': (secret) => encodeURIComponent(secret),
  'percent twice': (secret) => encodeURIComponent(encodeURIComponent(secret)),
  'HTML entities by name': html,
  'HTML entities twice': (secret) => html(html(secret)),
  'HTML entities by decimal number': eachCharacter((c) => `&#${c.codePointAt(0)};`),
  'HTML entities by hex number': eachCharacter((c) => `&#x${c.codePointAt(0)?.toString(16)};`),
  'JSON escapes, all of it': eachCharacter((c) => `\\u${hex4(c)}`),
  'a JSON string in a JSON string': (secret) => json(json(secret)),
  'JavaScript code points': eachCharacter((c) => `\\u{${c.codePointAt(0)?.toString(16)}}`),
  'HTML in a JSON string': (secret) => json(html(secret)).replaceAll('&', String.raw`\u0026`),
};

describe('X-S8: a secret that was re-encoded', () => {
  const redactor = new Redactor([SECRET]);

  it.each(Object.entries(encodings))('%s is redacted at every offset', (_, encode) => {
    for (const before of ['', 'x', 'ab', 'abc']) {
      const holding = encode(`${before}${SECRET}`);
      const redacted = redactor.text(`{"a":"${holding}","b":1}`);
      expect(redacted).toContain(REDACTED);
      expect(redactor.text(redacted)).toBe(redacted);
      expect(redacted.length).toBeLessThan(`{"a":"${encode(before)}","b":1}`.length + REDACTED.length + 8);
      expect(redacted.endsWith('"b":1}')).toBe(true);
    }
  });

  it.each(['utf16le', 'utf16be'] as const)('in %s is redacted', (encoding) => {
    const littleEndian = Buffer.from(`key ${SECRET} end`, 'utf16le');
    const bytes = encoding === 'utf16le' ? littleEndian : Buffer.from(littleEndian).swap16();
    const text = redactor.bytes(bytes).toString('latin1');
    expect(text).toContain(REDACTED);
    expect(text.replaceAll('\0', '')).not.toContain('canary');
  });

  it('is redacted for any characters and any neighbours', () => {
    const secrets = fc.string({ minLength: 8, maxLength: 60, unit: 'grapheme' }).filter((s) => s.length >= 8);
    const beside = fc.string({ maxLength: 9, unit: 'grapheme' });
    fc.assert(
      fc.property(
        secrets,
        beside,
        beside,
        fc.constantFrom(base64, json, encodeURIComponent),
        (secret, a, b, encode) => {
          expect(new Redactor([secret]).text(encode(a + secret + b))).toContain(REDACTED);
        },
      ),
    );
  });

  it('leaves a text with escapes and no secret unchanged', () => {
    const text = 'a%20b \\u0041 &amp; c2stY2FuYXJ5 \\ud800 \ud800';
    expect(redactor.text(text)).toBe(text);
  });

  it('leaves what stands around it as it was', () => {
    expect(redactor.text(`%41 ${encodeURIComponent(SECRET)}&amp;\\n`)).toBe(`%41 ${REDACTED}&amp;\\n`);
  });

  it.each([
    ['escapes', String.raw`\u0073`],
    ['backslashes', '\\'],
    ['percent signs', '%25'],
    ['entities', '&amp;'],
    ['numbers of entities', '&#0000'],
    ['zeros', '\0'],
    ['its own beginning', SECRET.slice(0, -1)],
    ['its own beginning in hex', Buffer.from(SECRET.slice(0, -1)).toString('hex')],
    ['ends of lines', 's\n'],
  ])('is looked for in time linear in a text of %s', (_, part) => {
    const timeFor = (length: number) => {
      const text = part.repeat(length / part.length);
      return processorTime(() => redactor.text(text));
    };
    const short = Math.min(...[1, 2, 3].map(() => timeFor(100_000)));
    // Eight times the length: in quadratic time it would take 64 times as long.
    const most = 30 * Math.max(short, 5);
    // A garbage collection may fall into one try.
    expect([1, 2, 3].some(() => timeFor(800_000) < most)).toBe(true);
  });

  it.each(['\0', '\n', ' '])('is taken out after 16 million units of %j', (part) => {
    const text = part.repeat(16_000_000 / part.length);
    // The first searches of a process run other code than the later ones.
    for (const _ of [1, 2, 3]) expect(redactor.text(`${text}${SECRET}`)).toBe(`${text}${REDACTED}`);
  });
});

describe('X-S8: a body', () => {
  const redactor = new Redactor([SECRET]);

  it('that is cut within a secret loses the beginning of the secret', async () => {
    for (const cut of [9, 12, SECRET.length]) {
      const body = await redactedBody(Buffer.from(`key: ${SECRET}`).subarray(0, 5 + cut), redactor, {
        isCut: true,
      });
      expect(body.toString()).toBe('key: [REDACTED]');
    }
  });

  it('that was compressed without a header holds no secret when it is decompressed', async () => {
    const body = await redactedBody(gzipSync(`{"key":${JSON.stringify(SECRET)}}`), redactor);
    expect(body.toString()).toBe('{"key":"[REDACTED]"}');
  });

  it('that was compressed and cut or damaged holds no secret in the part that can be decompressed', async () => {
    const whole = gzipSync(`${'so far '.repeat(200)}${SECRET}${'and more '.repeat(200)}`, { level: 9 });
    for (const length of [whole.length - 1, whole.length - 8, whole.length - 12]) {
      const body = await redactedBody(whole.subarray(0, length), redactor, { encoding: 'gzip', isCut: true });
      expect(body.toString()).toContain(`so far ${REDACTED}`);
    }
    const damaged = Buffer.concat([whole.subarray(0, -10), Buffer.alloc(300, 0xff)]);
    expect((await redactedBody(damaged, redactor, { encoding: 'gzip' })).toString()).toContain(REDACTED);
  });

  it('that was compressed and holds no secret stays unchanged', async () => {
    const body = gzipSync('{"a":1}');
    expect(await redactedBody(body, redactor)).toEqual(body);
    expect(await redactedBody(body.subarray(0, 12), redactor, { encoding: 'gzip' })).toEqual(
      body.subarray(0, 12),
    );
  });

  it('that decompresses beyond the searched part loses the rest', async () => {
    const bomb = gzipSync(Buffer.concat([Buffer.alloc(40 * 1024 * 1024, 'a'), Buffer.from(SECRET)]), {
      level: 1,
    });
    const body = await redactedBody(bomb, redactor, { encoding: 'gzip', isCut: true });
    expect(body.length).toBeLessThan(bomb.length);
    expect(bomb.subarray(0, body.length)).toEqual(body);
  });
});

/** Processor time of this process in milliseconds, which leaves out the work of other processes. */
function processorTime(work: () => unknown): number {
  const begun = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1000;
}
