import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { importCircles } from './import-circles.js';
import { levels, packages, pureLibs } from './levels.js';
import { type SourceFile, sourceFiles, sourcesBelow } from './source-files.js';

const sources = sourceFiles();
const libSources = sources.filter(({ unit }) => unit.startsWith('libs/'));
const shipped = sources.filter(({ isSpec, isTesting }) => !isSpec && !isTesting);
const libOf = ({ unit }: SourceFile) => unit.slice('libs/'.length);
const libIn = (specifier: string) => LIB_IMPORT.exec(specifier)?.[1] ?? '';
const LIB_IMPORT = /^#lib\/(.+?)(\/(?:testing|core))?$/;

/** `path: what` for every part of a file that breaks a rule. */
function broken(files: readonly SourceFile[], find: (file: SourceFile) => readonly string[]): string[] {
  return files.flatMap((file) => find(file).map((what) => `${file.path}: ${what}`));
}

describe('the architecture', () => {
  it('gives every lib a level', () => {
    expect([...new Set(libSources.map(libOf))].toSorted()).toEqual(Object.keys(levels).toSorted());
  });

  it('has every lib with its level on the architecture page', () => {
    const page = readFileSync(join(import.meta.dirname, '../../docs/architecture.md'), 'utf8');
    const rows = [...page.matchAll(/^\| (\d+) +\| `([a-z/-]+)`/gm)].map(([, level, lib]) => [
      lib,
      Number(level),
    ]);
    expect(Object.fromEntries(rows)).toEqual(levels);
  });

  it('lets a lib import only from lower levels', () => {
    const upward = broken(libSources, (file) =>
      file.imports.filter((specifier) => {
        const lib = libIn(specifier);
        const isOwnTesting = lib === libOf(file) && (file.isSpec || file.isTesting);
        return lib !== '' && !isOwnTesting && (levels[lib] ?? 99) >= (levels[libOf(file)] ?? -1);
      }),
    );
    expect(upward).toEqual([]);
  });

  it('reaches another lib through its index, its core or its testing entry alone', () => {
    const deep = broken(sources, (file) =>
      file.imports.filter((specifier) => {
        if (specifier.startsWith('#')) return levels[libIn(specifier)] === undefined;
        return specifier.startsWith('.') && leaves(file, specifier) && !file.unit.startsWith('apps/');
      }),
    );
    expect(deep).toEqual([]);
  });

  it('lets the console reach data through the client alone', () => {
    const files = shipped.filter(({ path }) => path.startsWith('apps/console/src/'));
    expect(files.length).toBeGreaterThan(50);
    const others = (file: SourceFile) =>
      file.imports.filter(
        (specifier) => /^[#.]|^node:|^@nestjs/.test(specifier) && specifier !== '#lib/client',
      );
    const outside = (file: SourceFile) =>
      others(file).filter((specifier) => !specifier.startsWith('.') || leaves(file, specifier));
    expect(broken(files, outside)).toEqual([]);
    const fetching = broken(files, ({ text }) => withoutComments(text).match(/\bfetch\(|EventSource/g) ?? []);
    expect(fetching).toEqual([]);
  });

  it('has no circle of imports between files, not of types either', () => {
    expect(importCircles(shipped)).toEqual([]);
  });

  it('keeps testing entries out of what is shipped', () => {
    const libs = shipped.filter(({ unit }) => !['apps/demo', 'apps/bench', 'apps/create'].includes(unit));
    expect(
      broken(libs, ({ imports }) => imports.filter((specifier) => specifier.endsWith('/testing'))),
    ).toEqual([]);
  });

  it('lets a lib use its own npm packages alone, and only engine and apps know Nest', () => {
    const files = shipped.filter(({ unit }) => unit.startsWith('libs/'));
    const foreign = broken(files, (file) =>
      file.imports.filter((specifier) => {
        if (/^(\.|#lib\/|node:)/.test(specifier)) return false;
        const name = specifier
          .split('/')
          .slice(0, specifier.startsWith('@') ? 2 : 1)
          .join('/');
        return !packages[libOf(file)]?.includes(name);
      }),
    );
    expect(foreign).toEqual([]);
  });

  it('keeps clock, randomness, waiting and the outside out of the libs that hold rules', () => {
    const files = shipped.filter((file) => pureLibs.includes(libOf(file)));
    expect(broken(files, impurities)).toEqual([]);
  });

  it('keeps them out of every file whose suffix promises rules: events, decider, rules, script, workflow', () => {
    const files = shipped.filter(({ path }) => /\.(?:events|decider|rules|script|workflow)\.ts$/.test(path));
    expect(files.length).toBeGreaterThan(20);
    expect(
      broken(files, (file) => [
        ...impurities(file),
        ...file.imports.filter((name) => name.startsWith('@nestjs/')),
      ]),
    ).toEqual([]);
  });

  it('keeps files short: 300 lines, 400 for specs', () => {
    const long = broken(sources, ({ path, lines, isSpec, isTesting }) =>
      !path.endsWith('.generated.ts') && lines > (isSpec || isTesting ? 400 : 300) ? [`${lines} lines`] : [],
    );
    expect(long).toEqual([]);
  });

  it('has no `any`, and no `as unknown as` outside codecs', () => {
    const casts = broken(shipped, ({ path, text }) => {
      const code = withoutComments(text);
      const anys = code.match(/[:<]\s*any\b|\bas any\b/g) ?? [];
      const forced = path.includes('codec') ? [] : (code.match(/\bas unknown as\b/g) ?? []);
      return [...anys, ...forced];
    });
    expect(casts).toEqual([]);
  });

  it('X-L1: reads the environment in apps alone, in the functions of DIAL that call a model by it, and for the tests of applications', () => {
    const readers = [
      'libs/decisions/solicitation/plain/environment-llm.ts',
      'libs/engine/public/kit/environment.ts',
    ];
    const files = shipped.filter(({ unit, path }) => unit.startsWith('libs/') && !readers.includes(path));
    expect(broken(files, ({ text }) => withoutComments(text).match(/process\.env/g) ?? [])).toEqual([]);
  });

  it('X-L1: gives variables the prefix REDIAL_, but for the documented ones', () => {
    const documented =
      /^(PORT|HOST|OPENAI_API_KEY|OPENAI_BASE_URL|EVENTSTOREDB_URL|DATABASE_URL|LOG_LEVEL|NO_COLOR|TERM)$/;
    const names = broken(shipped, ({ text, path }) => {
      const members = path.endsWith('/environment.ts') ? text.matchAll(/^  ([A-Z][A-Z_]+)[?:= ]/gm) : [];
      const read = text.matchAll(/process\.env(?:\.|\[')([A-Z_]+)/g);
      return [...members, ...read]
        .map(([, name = '']) => name)
        .filter((name) => !name.startsWith('REDIAL_') && !documented.test(name));
    });
    expect(names).toEqual([]);
  });

  it('has no comment that begins with What, Who, Whose, Whoever, Nobody, Nothing or Everybody', () => {
    const files = [...sources, ...sourcesBelow('test', 'examples', 'tools')];
    const written = files.filter(({ path }) => !path.endsWith('.generated.ts'));
    expect(broken(written, ({ text }) => text.match(UNNAMED_SUBJECT) ?? [])).toEqual([]);
  });

  it('makes temporary folders in one place, which the runner of specs clears; bench and proof of the package remove their own', () => {
    const files = [...sources, ...sourcesBelow('test', 'examples', 'tools')];
    const making = files.filter(({ text }) => /import \{[^}]*\bmkdtemp/.test(text));
    expect(making.map(({ path }) => path).toSorted()).toEqual([
      'apps/bench/src/servers/postgres-server.ts',
      'apps/bench/src/temporary-folder.ts',
      'apps/cli/src/engine/with-history.ts',
      'libs/kernel/testing/temporary-folder.ts',
      'test/package/prove-image.mjs',
      'test/support/jest/temporary-root.mjs',
    ]);
  });

  it('leaves nothing unfinished', () => {
    const marks = /\b(TODO|FIXME|XXX)\b|not implemented|\b(it|describe)\.skip\(/g;
    expect(broken(sources, ({ text }) => text.match(marks) ?? [])).toEqual([]);
  });
});

function leaves({ path, unit }: SourceFile, specifier: string): boolean {
  return !new URL(specifier, `file:///${path}`).pathname.startsWith(`/${unit}/`);
}

/** The last part leaves out comments with code behind them: a spec has such a text as a string. */
const UNNAMED_SUBJECT =
  /(?:^\s*(?:\/\*\*?|\*)\s+(?:\*\s+)?|\/\/ )(?:What|Who|Whose|Whoever|Nobody|Nothing|Everybody)\b(?!.*\*\/.).*/gm;

const IMPURE =
  /\bnew Date\(\)|Date\.now|Math\.random|\basync (?:function|\w+\(|\()|\bawait\s+[\w(]|\bPromise\b|process\.env|from 'node:/g;

function impurities({ text }: SourceFile): readonly string[] {
  return withoutComments(text).match(IMPURE) ?? [];
}

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
}
