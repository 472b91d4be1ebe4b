/** Where the module of `decideAppend` lies, for worker threads: they are started by address, outside the import graph. */
export const decideAppendModule = new URL('./decide-append.mjs', import.meta.url);
