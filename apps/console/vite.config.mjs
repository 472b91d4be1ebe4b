import { defaultClientConditions, defineConfig } from 'vite';
import { licencesOf } from '../../tools/licences.mjs';

/** For any base path: addresses of assets are relative, and the server writes `<base>`. */
export default defineConfig({
  root: import.meta.dirname,
  base: './',
  resolve: { conditions: ['source', ...defaultClientConditions] },
  build: {
    outDir: '../../dist/console',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    // The policy of the page refuses the inline code of a polyfill.
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rollupOptions: {
      // `use client` in packages that also render on servers has no meaning here.
      onwarn: (warning, warn) => warning.code === 'MODULE_LEVEL_DIRECTIVE' || warn(warning),
      output: { experimentalMinChunkSize: 8_000 },
    },
  },
  plugins: [licences()],
  logLevel: 'warn',
});

/** Adds the licences of the packages to the build. @returns {import('vite').Plugin} */
function licences() {
  return {
    name: 'licences',
    generateBundle() {
      const source = licencesOf([...this.getModuleIds()].map((id) => id.replace(/^\0/, '')));
      this.emitFile({ type: 'asset', fileName: 'LICENSES.txt', source });
    },
  };
}
