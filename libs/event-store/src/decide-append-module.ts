/** The address of the module of `decideAppend`: worker threads are started by address, outside the import graph. */
export const decideAppendModule = new URL('./decide-append.mjs', import.meta.url);
