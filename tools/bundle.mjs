// The second step of the build: `dist/bin` holds what is started, the command line with its threads and the server, in few files
// (decision 068); `dist/library` what applications import (decision 199).
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { bundleTypes } from './bundle-types.mjs';
import { LIBRARY, libraryEntries } from './library.mjs';
import { licencesOf } from './licences.mjs';

/** Packages of many small modules, with what only they need. All others are installed and loaded as for the library. */
const BUNDLED = /^(?:@nestjs\/|rxjs$|kysely$|class-validator(?:-jsonschema)?$|@marcbachmann\/cel-js$)/;
/** Nest loads them when it runs, and only for features that Redial does not use: the last one tells the types of uploaded files. */
const UNUSED = ['@nestjs/microservices', '@nestjs/websockets', 'file-type'];
/** Multi-byte character sets of iconv-lite, half a megabyte: bodies are UTF-8, others are refused before they are read. */
const CHARACTER_SETS = ['./tables/*.json'];
/** Modules that Redial starts by `#lib/*.mjs`, as threads and as a process, or that a thread imports so. */
const THREADS = [
  'activities/sandbox/sandbox-worker.mjs',
  'event-store/decide-append.mjs',
  'event-store-sqlite/append-worker.mjs',
  'event-store-sqlite/check-process.mjs',
];
/** Processes that specs start and kill many times. They are not packed. */
const KILLED = [
  'read-models/testing/runner-main.js',
  'reactions/testing/reacting-main.js',
  'reactions/testing/receiving-main.js',
];
const BIN = 'dist/bin';
const PROCESSES = 'dist/processes';
/** Packed as compact JSON, as the list of operations is. */
const EXAMPLES = 'operations.examples';

const { dependencies, optionalDependencies, peerDependencies } = JSON.parse(
  readFileSync('package.json', 'utf8'),
);
const named = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies });
const external = [...named.filter((name) => !BUNDLED.test(name)), ...UNUSED, ...CHARACTER_SETS];
// For the modules of packages that are CommonJS.
const banner = {
  js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
};
/** The interceptors of Nest for uploaded files import it. No route takes files: with what it needs it is 200 kB. */
const noUploads = {
  name: 'no uploads',
  /** @param {import('esbuild').PluginBuild} step */
  setup(step) {
    step.onResolve({ filter: /^multer$/ }, ({ path }) => ({ path, namespace: 'no-uploads' }));
    step.onLoad({ filter: /./, namespace: 'no-uploads' }, () => ({ contents: 'export default undefined;' }));
  },
};
/**
 * Of class-validator the checks that are used, in place of all with their tables of telephone numbers: a pipe of Nest that is not used imports it
 * whole, and so does what makes schemas of its decorators, unless its sources are bundled.
 */
const onlyChecksInUse = {
  name: 'only checks in use',
  /** @param {import('esbuild').PluginBuild} step */
  setup(step) {
    step.onResolve({ filter: /^class-validator$/ }, ({ kind, resolveDir }) =>
      kind === 'dynamic-import'
        ? { path: 'class-validator', external: true }
        : step.resolve('class-validator/esm2015/index.js', { kind, resolveDir }),
    );
    step.onResolve({ filter: /^class-validator-jsonschema$/ }, ({ kind, resolveDir }) =>
      step.resolve('class-validator-jsonschema/src/index.ts', { kind, resolveDir }),
    );
  },
};
const library = libraryEntries();

/** @param {import('esbuild').BuildOptions} options */
async function bundle(options) {
  const { metafile } = await build({
    // The paths of tsconfig.json lead to sources, which esbuild compiles without the metadata of decorators.
    tsconfigRaw: {},
    bundle: true,
    // Modules that are imported on demand stay in files of their own.
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    // The class of an error is a part of its message.
    keepNames: true,
    minifyWhitespace: true,
    minifySyntax: true,
    minifyIdentifiers: true,
    // Node prints the line in which an error is thrown.
    lineLimit: 120,
    metafile: true,
    logLevel: 'warning',
    ...options,
  });
  const sources = Object.keys(metafile?.inputs ?? {}).filter(
    (path) => path.endsWith('.ts') && !path.startsWith('node_modules/'),
  );
  if (sources.length > 0)
    throw new Error(`Bundled from sources, not from dist/: ${sources.slice(0, 3).join(', ')}`);
  return metafile;
}

for (const folder of [BIN, LIBRARY, PROCESSES, `dist/${EXAMPLES}`])
  rmSync(folder, { recursive: true, force: true });
const bin = await bundle({
  entryPoints: {
    redial: './dist/apps/cli/src/main.js',
    server: './dist/apps/server/src/main.js',
    // A thread that the command line starts, by this name beside its own file.
    'replay-worker': './dist/apps/cli/src/replaying/replay-worker.js',
  },
  outdir: BIN,
  external,
  plugins: [onlyChecksInUse, noUploads],
  banner,
});
writeFileSync(join(BIN, 'LICENSES.txt'), licencesOf(Object.keys(bin?.inputs ?? {})));
const modules = Object.entries(library).map(([name, module]) => [name, `./dist/${module}.js`]);
await bundle({ entryPoints: Object.fromEntries(modules), outdir: LIBRARY, packages: 'external' });
// Each thread in the place of its module, with what it needs. From the sources: the compiler leaves a module alone that has not changed, and
// what it imports may have. Names stay as they are: the sandbox evaluates the text of functions, which must not name what the bundle adds.
await bundle({
  entryPoints: THREADS.map((path) => `libs/${path}`),
  outbase: 'libs',
  outdir: 'dist/libs',
  outExtension: { '.js': '.mjs' },
  packages: 'external',
  splitting: false,
  keepNames: false,
  minifyIdentifiers: false,
});
await bundle({
  entryPoints: KILLED.map((path) => `dist/libs/${path}`),
  outbase: 'dist/libs',
  outdir: PROCESSES,
  external,
  plugins: [onlyChecksInUse, noUploads],
  banner,
});
await bundleTypes(library, LIBRARY);
mkdirSync(`dist/${EXAMPLES}`, { recursive: true });
for (const file of [...readdirSync(EXAMPLES).map((name) => join(EXAMPLES, name)), 'operations.json'])
  writeFileSync(join('dist', file), JSON.stringify(JSON.parse(readFileSync(file, 'utf8'))));
