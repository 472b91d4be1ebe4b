/** The address of the module of `decideAppend`. Worker threads are started by address, outside the import graph. */
export const decideAppendModule = new URL(import.meta.resolve('#lib/event-store/decide-append.mjs'));
