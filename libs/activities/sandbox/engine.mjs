import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import baseVariant from '@jitl/quickjs-ng-wasmfile-release-sync';
import { newQuickJSWASMModuleFromVariant, newVariant } from 'quickjs-emscripten-core';

/** The types of the package describe its CommonJS form, whose default export is the module. */
const base = /** @type {import('quickjs-emscripten-core').QuickJSSyncVariant} */ (
  /** @type {object} */ (baseVariant)
);
const PAGE = 65_536;
/** 16 MiB: the memory with which the engine begins. */
const FIRST_PAGES = 256;

const wasmModule = await WebAssembly.compile(
  readFileSync(createRequire(import.meta.url).resolve('@jitl/quickjs-ng-wasmfile-release-sync/wasm')),
);

// An instance copies the path of the process and its language into its memory. With them, the point at which a program runs out of memory would
// differ between machines and versions of Node. This thread only runs programs.
const emscriptenModule = /** @type {object} */ ({ thisProgram: 'program' });
Reflect.deleteProperty(globalThis, 'navigator');

/**
 * An instance of QuickJS. The bound holds for all of its memory: the engine's own limit does not count the bytes of a block.
 * @param {number} memoryBytes
 * @returns {Promise<import('quickjs-emscripten-core').QuickJSWASMModule>}
 */
export function newEngine(memoryBytes) {
  const maximum = Math.max(FIRST_PAGES, Math.floor(memoryBytes / PAGE));
  const wasmMemory = new WebAssembly.Memory({ initial: FIRST_PAGES, maximum });
  const variant = newVariant(base, { wasmModule, wasmMemory, emscriptenModule });
  return newQuickJSWASMModuleFromVariant(variant);
}
