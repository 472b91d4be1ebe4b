/** The members of `WebAssembly` that the sandbox and its engine use. The types of this release of Node declare none. */
declare namespace WebAssembly {
  interface Module {
    readonly [Symbol.toStringTag]: string;
  }
  interface Instance {
    readonly exports: Exports;
  }
  type Exports = Readonly<Record<string, unknown>>;
  type Imports = Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  class Memory {
    constructor(pages: { readonly initial: number; readonly maximum: number });
    readonly buffer: ArrayBuffer;
  }
  function compile(bytes: Uint8Array): Promise<Module>;
}
