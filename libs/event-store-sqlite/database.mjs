import { createRequire } from 'node:module';

/**
 * The native module for the Node that runs. better-sqlite3 13 needs Node-API 10 (Node 22.14 and later); version 12 is built on
 * `node::ObjectWrap`, whose destructor aborts the process on Node 24.19 and later.
 * Plain JavaScript because the append worker uses it, even when nothing has been compiled.
 */
const NAME = Number(process.versions.napi) >= 10 ? 'better-sqlite3' : 'better-sqlite3-node20';

/** Without the module, opening a database throws, and work without a database goes on. @type {typeof import('better-sqlite3')} */
export const Database = loaded();

function loaded() {
  try {
    return createRequire(import.meta.url)(NAME);
  } catch (error) {
    return class {
      constructor() {
        throw error;
      }
    };
  }
}
