// The declarations of the library: for each entry one file, and files that entries share.
import { join, resolve } from 'node:path';
import { rollup } from 'rollup';
import { dts } from 'rollup-plugin-dts';

/** Entries need not export the types that they share, and the order in which files of declarations are loaded does not matter. */
const NO_FAULT = ['PLUGIN_WARNING', 'CYCLIC_CROSS_CHUNK_REEXPORT'];

/** `#lib/*` as the package resolves it. @type {import('rollup').Plugin} */
const libs = {
  name: 'libs',
  resolveId(id) {
    if (!id.startsWith('#lib/')) return null;
    return resolve(
      'dist/libs',
      id.endsWith('/core') ? `${id.slice(5)}.d.ts` : join(id.slice(5), 'index.d.ts'),
    );
  },
};

/** @param {Record<string, string>} entries Modules by the names of their bundles. @param {string} folder */
export async function bundleTypes(entries, folder) {
  const input = Object.fromEntries(
    Object.entries(entries).map(([name, path]) => [name, `dist/${path}.d.ts`]),
  );
  const bundle = await rollup({
    input,
    logLevel: 'warn',
    external: (id) => !/^[./#]/.test(id),
    plugins: [libs, dts()],
    onwarn(warning) {
      if (!NO_FAULT.includes(warning.code ?? '')) throw new Error(warning.message);
    },
  });
  await bundle.write({
    dir: folder,
    entryFileNames: '[name].d.ts',
    chunkFileNames: 'shared-[hash].d.ts',
    experimentalMinChunkSize: 20_000,
  });
}
