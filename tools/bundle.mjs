// The second step of the build: `dist/bin` holds what is started, the command line with its threads and the server, in few files (decision 068).
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { licencesOf } from './licences.mjs';

/** Packages of many small modules, with what only they need. All others are installed and loaded as for the library. */
const BUNDLED = /^(?:@nestjs\/|rxjs$|kysely$|@marcbachmann\/cel-js$)/;
/** Nest looks for them when it runs. */
const UNUSED = ['@nestjs/microservices', '@nestjs/websockets'];
const OUT = 'dist/bin';

const { dependencies, optionalDependencies, peerDependencies } = JSON.parse(
  readFileSync('package.json', 'utf8'),
);
const named = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies });

rmSync(OUT, { recursive: true, force: true });
const { metafile } = await build({
  entryPoints: {
    redial: './dist/apps/cli/src/main.js',
    server: './dist/apps/server/src/main.js',
    // A thread that the command line starts, by this name beside its own file.
    'replay-worker': './dist/apps/cli/src/replaying/replay-worker.js',
  },
  outdir: OUT,
  // The paths of tsconfig.json lead to sources, which esbuild compiles without the metadata of decorators.
  tsconfigRaw: {},
  bundle: true,
  // Modules that are imported on demand stay in files of their own.
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  external: [...named.filter((name) => !BUNDLED.test(name)), ...UNUSED],
  // The class of an error is a part of its message.
  keepNames: true,
  // A quarter of the bytes of the package were its indentation and its comments.
  minifyWhitespace: true,
  minifySyntax: true,
  // For the modules of packages that are CommonJS.
  banner: {
    js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
  },
  metafile: true,
  logLevel: 'warning',
});
const sources = Object.keys(metafile.inputs).filter((path) => path.endsWith('.ts'));
if (sources.length > 0)
  throw new Error(`Bundled from sources, not from dist/: ${sources.slice(0, 3).join(', ')}`);
writeFileSync(join(OUT, 'LICENSES.txt'), licencesOf(Object.keys(metafile.inputs)));
