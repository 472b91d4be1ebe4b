import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
/** Changes when the same program may give another result. */
const BRIDGE = 7;

const versions = ['@jitl/quickjs-ng-wasmfile-release-sync', 'sucrase', 'acorn'].map(
  (name) => `${name.replace(/^@jitl\/(.*)-wasmfile.*/, '$1')} ${require(`${name}/package.json`).version}`,
);

/** Engine, compiler and bridge, with their versions. */
export const BUILD = [...versions, `bridge ${BRIDGE}`].join(', ');
