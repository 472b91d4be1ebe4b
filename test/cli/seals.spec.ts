import { execFile } from 'node:child_process';
import { createHash, createPublicKey, generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setEnvironment, text } from '#lib/activities/testing';
import { sha256 } from '#lib/kernel';
import { fileWith, resummed } from '#lib/histories/testing';
import { CommandLine } from './command-line.js';
import { door, refunds } from './machines.js';

const decision = text('{"transitionName":"escalate","toState":"review","reasoning":"odd"}');
const verifier = join(import.meta.dirname, '../../docs/verify-history.mjs');

interface Line {
  [member: string]: unknown;
}

describe('seals on the command line', () => {
  let cli: CommandLine;
  let restore: () => void;
  let escalated: string;
  let file: string;
  let open: string;
  let other: string;
  let secretOfOther: string;
  /** The lines of the file, without the last one. */
  let lines: readonly Line[];

  const keyFiles = async (name: string) => {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    const secret = String(privateKey.export({ type: 'pkcs8', format: 'pem' }));
    const shown = String(publicKey.export({ type: 'spki', format: 'pem' }));
    return [await cli.file(`${name}.pem`, secret), await cli.file(`${name}.pub`, shown)] as const;
  };

  beforeAll(async () => {
    cli = await CommandLine.open();
    cli.llm.enqueue(decision);
    [, escalated = ''] = await cli.sessions(door, refunds);
    const [secret, shown] = await keyFiles('seal');
    [open, [secretOfOther, other]] = [shown, await keyFiles('other')];
    restore = setEnvironment({ REDIAL_SEAL_KEY: secret });
    file = join(cli.folder, 'escalated.jsonl');
  });
  afterAll(async () => {
    restore();
    await cli.close();
  });

  it('redial verify of a log or a file without a seal ends with 7', async () => {
    await cli.run('history', 'export', escalated, '--to', file);
    for (const named of [[], [file]]) {
      const { exitCode, err } = await cli.run('verify', ...named, '--public-key', open);
      expect([exitCode, err]).toEqual([7, expect.stringMatching(/^\[NotAuthenticated\] .* it has no seal/)]);
    }
    const ended = promisify(execFile)(process.execPath, [verifier, file, open]);
    await expect(ended).rejects.toMatchObject({ code: 7 });
  });

  it('redial seal of a log without an event says that there is nothing to seal, and not how to seal it', async () => {
    const empty = await CommandLine.open();
    const { exitCode, err } = await empty.run('seal');
    await empty.close();
    expect([exitCode, err]).toEqual([1, expect.stringMatching(/^\[NotSealed\] the log: it has no event\. /)]);
    expect(err).not.toContain('redial seal');
  });

  it('redial seal seals what came, once, and seals list shows it', async () => {
    const first = await cli.run('seal', '--json');
    const again = await cli.run('seal', '--json');
    expect([first.exitCode, again.out]).toEqual([0, first.out]);
    const seal = JSON.parse(first.out) as Line;
    expect(seal).toMatchObject({ index: 0, previous: null, signature: expect.any(String) });
    expect((await cli.run('seals', 'list')).lines[0]).toMatch(/^ *index +sealed at +events +root$/);
    const { out } = await cli.run('seals', 'list', '--json');
    expect(out).toContain(String(seal['root']));
    await cli.file('seal.json', first.out);
    await cli.run('history', 'export', escalated, '--to', file);
    lines = readFileSync(file, 'utf8')
      .trimEnd()
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Line);
  });

  it('redial verify of a whole log or file ends with 0 with the key, with 7 without, with 3 with another', async () => {
    for (const named of [[], [file]]) {
      const since = named.length === 0 ? ['--since', join(cli.folder, 'seal.json')] : [];
      expect(await cli.run('verify', ...named, '--public-key', open, ...since)).toMatchObject({
        exitCode: 0,
      });
      const { exitCode, err } = await cli.run('verify', ...named);
      expect([exitCode, err]).toEqual([7, expect.stringContaining('no key shows who sealed it')]);
      const asData = await cli.run('verify', ...named, '--public-key', other, '--json');
      expect(asData.exitCode).toBe(3);
      const { events, ...rest } = JSON.parse(asData.out) as { events: readonly object[] };
      expect([rest, events.length > 0]).toEqual([{ exitCode: 3 }, true]);
    }
  });

  it('a redacted file is verified by the hashes of what was left out', async () => {
    const redacted = join(cli.folder, 'redacted.jsonl');
    await cli.run('history', 'export', escalated, '--to', redacted, '--redact', 'content');
    expect(await cli.run('verify', redacted, '--public-key', open)).toMatchObject({ exitCode: 0 });
    await promisify(execFile)(process.execPath, [verifier, redacted, open]);
  });

  const isEvent = (line: Line) => line['eventId'] !== undefined;
  const changed = (change: (event: Line) => Line) => (all: readonly Line[]) => {
    const at = all.findIndex(isEvent) + 2;
    return all.map((line, index) => (index === at ? change(line) : line));
  };
  const ofSeal = (change: (proof: Line) => Line) => (all: readonly Line[]) =>
    all.map((line, index) => (index === 0 ? { ...line, seal: change(line['seal'] as Line) } : line));
  const leafOf = (change: object) =>
    ofSeal(({ leaves, ...rest }) => ({
      ...rest,
      leaves: (leaves as readonly Line[]).map((leaf, at) => (at === 1 ? { ...leaf, ...change } : leaf)),
    }));
  /** The events of the longest stream, with what the first line says of their number. */
  const ofEvents = (change: (events: readonly Line[]) => readonly Line[]) => (all: readonly Line[]) => {
    const events = all.filter(isEvent);
    const counted = events.map(({ stream }) => stream);
    const longest = counted.toSorted((one, other) => countOf(counted, other) - countOf(counted, one))[0];
    const isOther = ({ stream }: Line) => stream !== longest;
    const own = change(events.filter((line) => !isOther(line))).map((line, revision) => ({
      ...line,
      revision,
    }));
    const streams = ((all[0] ?? {})['streams'] as Line[]).map((one) =>
      one['stream'] === longest ? { ...one, events: own.length } : one,
    );
    const last = events.findLast((line) => !isOther(line));
    const left = [...own];
    const placed = all.slice(1).flatMap((line) => {
      if (!isEvent(line) || isOther(line)) return [line];
      return left.splice(0, line === last ? left.length : 1);
    });
    return [{ ...all[0], streams }, ...placed];
  };
  const countOf = (all: readonly unknown[], one: unknown) => all.filter((each) => each === one).length;
  const sealedAnew = ofSeal(({ seal, ...rest }) => {
    const { signature: _, position, ...signed } = seal as Line;
    const key = readFileSync(secretOfOther, 'utf8');
    const der = createPublicKey(key).export({ type: 'spki', format: 'der' });
    const made: Line = { ...signed, keyId: createHash('sha256').update(der).digest('hex') };
    const text = JSON.stringify(made, Object.keys(made).toSorted());
    const signature = sign(null, Buffer.from(text), key).toString('base64');
    return { ...rest, seal: { ...made, position, signature } };
  });
  const cut = (all: readonly Line[]) => {
    const last = all.findLast(isEvent);
    const streams = ((all[0] ?? {})['streams'] as { stream: string; events: number }[]).flatMap((one) => {
      const events = one.events - (one.stream === last?.['stream'] ? 1 : 0);
      return events > 0 ? [{ ...one, events }] : [];
    });
    return all.filter((line) => line !== last).map((line, at) => (at === 0 ? { ...line, streams } : line));
  };

  it.each<readonly [string, (all: readonly Line[]) => readonly Line[]]>([
    ['changed data', changed((event) => ({ ...event, data: { ...(event['data'] as object), more: 1 } }))],
    [
      'changed metadata',
      changed((event) => ({ ...event, metadata: { ...(event['metadata'] as object), actor: 'eve' } })),
    ],
    ['a changed type', changed((event) => ({ ...event, type: 'RoundDecided' }))],
    [
      'a changed event id',
      changed((event) => ({ ...event, eventId: 'a3f5d1c2-0000-5000-8000-000000000001' })),
    ],
    ['a changed revision', changed((event) => ({ ...event, revision: Number(event['revision']) + 1 }))],
    ['two events exchanged', ofEvents(([one = {}, two = {}, ...rest]) => [two, one, ...rest])],
    ['an event removed', ofEvents(([one = {}, , ...rest]) => [one, ...rest])],
    [
      'an event inserted',
      ofEvents(([one = {}, ...rest]) => [one, { ...rest[0], eventId: randomUUID() }, ...rest]),
    ],
    ['a seal that another key has made anew', sealedAnew],
    ['a cut tail', cut],
    [
      'hashes that hide changed data',
      changed((event) => {
        const hashOf = (value: unknown) => sha256(JSON.stringify(value));
        const hashes = { dataSha256: hashOf(event['data']), metadataSha256: hashOf(event['metadata']) };
        return { ...event, data: { forged: true }, ...hashes };
      }),
    ],
    ['a changed seal', ofSeal(({ seal, ...rest }) => ({ ...rest, seal: { ...(seal as Line), events: 3 } }))],
    ['a changed path', leafOf({ path: ['0'.repeat(64)] })],
    ['a changed leaf', leafOf({ hash: '0'.repeat(64) })],
    ['a changed index', leafOf({ index: 0 })],
    [
      'leaves that are said to come later',
      ofSeal(({ leaves, ...rest }) => ({ ...rest, leaves: (leaves as Line[]).slice(0, -1) })),
    ],
  ])(
    'a file with %s, whose sum fits, is found by redial verify and by the verifier of the docs',
    async (_, change) => {
      const path = fileWith(resummed(change(lines).map((line) => JSON.stringify(line))));
      const { exitCode, err } = await cli.run('verify', path, '--public-key', open);
      expect([exitCode, err]).toEqual([3, expect.stringMatching(/^\[(SealDiffers|HistoryBroken)\]/)]);
      const ended = await promisify(execFile)(process.execPath, [verifier, path, open]).catch(
        (error: { code: number }) => error.code,
      );
      expect(ended).toBe(3);
    },
  );

  it('the changes above change nothing else', () => {
    expect(ofEvents((events) => events)(lines)).toEqual(lines);
  });

  it('the verifier of the docs takes a whole file, and has fewer than 150 lines', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [verifier, file, open]);
    expect(stdout).toMatch(/^sealed: \d+ events under seal 0/);
    expect(readFileSync(verifier, 'utf8').split('\n').length).toBeLessThan(150);
  });

  it('events after the seal are not authenticated in a file, and counted in a log', async () => {
    const [later = ''] = await cli.sessions({ ...door, machineName: 'second' });
    const unsealed = join(cli.folder, 'later.jsonl');
    await cli.run('history', 'export', later, '--to', unsealed);
    expect(await cli.run('verify', unsealed, '--public-key', open)).toMatchObject({ exitCode: 7 });
    const { exitCode, out } = await cli.run('verify', '--public-key', open);
    expect([exitCode, out]).toEqual([0, expect.stringMatching(/; \d+ events came after it/)]);
  });

  it('a key that is none is refused without being shown', async () => {
    const bad = await cli.file('bad.pem', 'secret-canary');
    const { exitCode, err } = await cli.run('verify', '--public-key', bad);
    expect([exitCode, err]).toEqual([
      2,
      expect.stringMatching(/^\[InvalidSealKey\] the public key of seals: it is not/),
    ]);
    expect(err).not.toContain('canary');
    expect(await cli.run('verify', file, '--since', join(cli.folder, 'seal.json'))).toMatchObject({
      exitCode: 2,
    });
    expect(await cli.run('verify', '--since', file)).toMatchObject({ exitCode: 2 });
  });
});
