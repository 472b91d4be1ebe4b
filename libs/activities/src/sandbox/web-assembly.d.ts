/** What the sandbox and its engine use of it: Node's types of this release have none. */
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
