import { createHash } from 'node:crypto';
import { atClock } from './at-clock.mjs';
import { BUILD } from './build.mjs';
import { compile, HEAD } from './compile.mjs';
import { elements } from './elements.mjs';
import { newEngine } from './engine.mjs';
import { prelude } from './prelude.mjs';
import { endOf, FILE, lineIn, short } from './program-errors.mjs';
import { isDeeper, isMessage } from './vm-messages.mjs';
import { variablesCodec } from './variables-codec.mjs';
import { WrittenProperties } from './written-properties.mjs';

/**
 * @typedef {import('#lib/call-rules').WholeSlice} WholeSlice
 * @typedef {import('#lib/call-rules').SandboxResult} SandboxResult
 * @typedef {import('#lib/call-rules').SandboxEnd} SandboxEnd
 * @typedef {import('quickjs-emscripten-core').QuickJSContext} Vm
 * @typedef {import('quickjs-emscripten-core').QuickJSHandle} Handle
 */

const MOST_CALLS = 200;
/** The most bytes of all output of a program: calls, traces, its result, its variables. */
const MOST_OUTPUT = 4 * 1024 * 1024;
/** The most levels of one output value. The text of a value of thousands of levels would overflow the stack of the process. */
const MOST_LEVELS = 100;

/**
 * Runs a program from its beginning with the outcomes so far. A VM is an instance of its own: memory that other programs have used cannot change
 * where a limit is reached.
 * @param {WholeSlice} slice
 * @param {(object: string, property: string, value: unknown) => string} problemOf a value of a property; empty if it fits
 * @returns {Promise<SandboxResult>}
 * @throws RangeError if the stack of this thread overflows: where that happens does not depend on the program alone
 */
export async function runProgram(slice, problemOf) {
  const compiled = compile(slice.program.code);
  if ('problem' in compiled) {
    const { problem: message, line } = compiled;
    const end = /** @type {const} */ ({ kind: 'invalid', message, ...(line !== undefined && { line }) });
    return { build: BUILD, calls: [], traces: [], ticks: 0, end };
  }
  const quickjs = await newEngine(slice.program.limits.memoryBytes);
  return atClock(slice.program.clock, () => new Running(slice, compiled, quickjs, problemOf).run());
}

class Running {
  /** @type {import('#lib/call-rules').SandboxCall[]} */
  #calls = [];
  /** @type {import('#lib/call-rules').SandboxTrace[]} */
  #traces = [];
  /** @type {SandboxEnd | undefined} */
  #end;
  /** @type {import('#lib/kernel').Json | undefined} */
  #variables;
  /**
   * The function `cite` of programs that cite sources, taken before the program could replace it.
   * @type {Handle | undefined}
   */
  #cite;
  #ticks = 0;
  #output = 0;

  /**
   * @param {WholeSlice} slice
   * @param {import('./compile.mjs').Compiled} compiled
   * @param {import('quickjs-emscripten-core').QuickJSWASMModule} quickjs
   * @param {(object: string, property: string, value: unknown) => string} problemOf
   */
  constructor(slice, compiled, quickjs, problemOf) {
    this.slice = slice;
    this.compiled = compiled;
    this.properties = new WrittenProperties(slice.objects, problemOf);
    const { limits } = slice.program;
    this.runtime = quickjs.newRuntime();
    this.runtime.setMaxStackSize(limits.stackBytes);
    this.runtime.setInterruptHandler(() => {
      if (this.#ticks < limits.ticks) this.#ticks++;
      else {
        this.#stop('ticks', `The program ran for more than ${limits.ticks} ticks.`);
        // Promises and async functions catch the interrupt. Without a stack they make no more calls.
        this.runtime.setMaxStackSize(1);
      }
      return this.#end?.kind === 'limit';
    });
    this.vm = this.runtime.newContext();
  }

  /** @returns {SandboxResult} */
  run() {
    for (const { text, line } of this.compiled.comments) this.#traces.push({ type: 'comment', text, line });
    /** @type {{ calls: number, traces: number } | undefined} */
    let mark;
    const { outcomes, known } = this.slice;
    this.#attempt(() => {
      const entries = this.#begin();
      this.#drain();
      outcomes.forEach((outcome, index) => {
        if (index === known) mark = this.#mark();
        if (!this.#end) this.#deliver(entries, outcome);
      });
      if (this.#end) this.#capture(entries);
    });
    const { calls, traces } = mark ?? this.#mark();
    return {
      build: BUILD,
      calls: this.#calls.slice(known < 0 ? 0 : calls),
      traces: this.#traces.slice(known < 0 ? 0 : traces),
      ticks: this.#ticks,
      ...(this.#end && { end: this.#end }),
      ...(this.#end && this.#variables !== undefined && { variables: this.#variables }),
    };
  }

  #mark() {
    return { calls: this.#calls.length, traces: this.#traces.length };
  }

  /** If an instance breaks because of its memory, the program ends and the instance is dropped. @param {() => void} work */
  #attempt(work) {
    try {
      work();
    } catch (error) {
      if (this.#end) return;
      if (error instanceof RangeError) throw error;
      this.#stop('engine', messageOf(error));
    }
  }

  /** @returns {Handle} */
  #begin() {
    const { program, variables, objects } = this.slice;
    const { vm } = this;
    const host = vm.newFunction('host', (kind, text) => {
      const answer = this.#told(vm.getString(kind), vm.getString(text));
      return answer === undefined ? undefined : vm.newString(answer);
    });
    const seed = createHash('sha256').update(program.seed).digest();
    const words = [0, 4, 8, 12].map((at) => seed.readInt32LE(at));
    const { tools, components, sources } = program;
    const config = { tools, objects, components, sources, seed: words, mostCalls: MOST_CALLS, variables };
    const begin = this.#value(vm.evalCode(`(${String(prelude)})`, 'prelude.js'));
    const codec = this.#value(vm.evalCode(`(${String(variablesCodec)})()`, 'prelude.js'));
    const makers = this.#value(vm.evalCode(`(${String(elements)})()`, 'prelude.js'));
    const given = vm.newString(JSON.stringify(config));
    const entries = this.#value(vm.callFunction(begin, vm.undefined, host, given, codec, makers));
    if (sources !== undefined) this.#cite = vm.getProp(vm.global, 'cite');
    const carried = JSON.parse(vm.getString(this.#called(entries, 'names')));
    const made = vm.evalCode(this.#source(carried), FILE);
    if (made.error) {
      const { message, line } = this.#errorOf(made.error);
      this.#end ??= { kind: 'invalid', message, ...(line !== undefined && { line }) };
      return entries;
    }
    const main = this.#value(vm.callFunction(made.value, vm.undefined, entries));
    this.#called(entries, 'start', main);
    return entries;
  }

  /** The program in the scope of the earlier variables, which it may declare again. @param {readonly string[]} carried */
  #source(carried) {
    const getters = (/** @type {readonly string[]} */ names) =>
      `({${names.map((name) => `${name}: () => ${name}`).join(', ')}})`;
    const outer =
      carried.length > 0 ? `let {${carried.join(', ')}} = $$.carried; $$.scope(${getters(carried)});` : '';
    const inner = `$$.scope(${getters(this.compiled.names)});`;
    return `(($$) => { ${outer} return ${HEAD} ${inner} ${this.compiled.code}\n}; })`;
  }

  /** @param {Handle} entries @param {WholeSlice['outcomes'][number]} outcome */
  #deliver(entries, outcome) {
    const { vm } = this;
    const [kind, text] =
      'error' in outcome
        ? ['error', outcome.error]
        : ['value', outcome.value === undefined ? '' : JSON.stringify(this.#shown(outcome))];
    if (this.#end) return;
    const code = 'error' in outcome ? (outcome.code ?? '') : '';
    const texts = [kind, text, code].map((one) => vm.newString(one));
    this.#called(entries, 'deliver', vm.newNumber(outcome.call), ...texts);
    this.#drain();
  }

  /** @param {Exclude<WholeSlice['outcomes'][number], { readonly error: string }>} outcome */
  #shown({ value, registers }) {
    if (!registers || !this.#cite || typeof value !== 'object' || value === null) return value;
    const result = /** @type {{ sources?: import('#lib/kernel').Json[] }} */ (value);
    return { ...result, sources: result.sources?.map((source) => this.#registered(source)) };
  }

  /**
   * The tag of a tool's source. The VM gives the id, but never gets the source, because a program could change it.
   * @param {import('#lib/kernel').Json} source
   */
  #registered(source) {
    if (this.#end || !this.#cite) return null;
    const tag = this.vm.getString(this.#value(this.vm.callFunction(this.#cite, this.vm.undefined)));
    this.#output += JSON.stringify(source).length;
    const trace = this.#traces.pop();
    if (trace && this.#hasRoom()) this.#take('trace', { ...trace, source });
    return tag;
  }

  #drain() {
    while (!this.#end && this.runtime.hasPendingJob()) {
      const done = this.runtime.executePendingJobs();
      if (done.error) this.#failed(done.error);
    }
  }

  /**
   * Takes the variables, also of a program that threw. A program that went over a limit has none: the earlier variables stay.
   * @param {Handle} entries
   */
  #capture(entries) {
    if (this.#end?.kind === 'returned' || this.#end?.kind === 'threw') this.#called(entries, 'variables');
  }

  /** @param {string} kind @param {string} text @returns {string | undefined} */
  #told(kind, text) {
    if (this.#end?.kind === 'limit' || (this.#end && kind !== 'variables')) return undefined;
    this.#output += text.length;
    return this.#hasRoom() ? this.#take(kind, JSON.parse(text)) : undefined;
  }

  #hasRoom() {
    if (this.#output <= MOST_OUTPUT) return true;
    this.#stop('output', `The program gave more than ${MOST_OUTPUT} bytes.`);
    return false;
  }

  /** @param {string} kind @param {any} value @returns {string | undefined} */
  #take(kind, value) {
    const { tools, components } = this.slice.program;
    const called = components ? [...tools, 'yield'] : tools;
    if (isDeeper(value, MOST_LEVELS))
      this.#stop('output', `The program gave a value that is nested more than ${MOST_LEVELS} levels deep.`);
    else if (!isMessage(kind, value, called))
      this.#stop('engine', 'The program replaced built-ins that the sandbox uses.');
    else if (kind === 'write') return this.#written(value);
    else if (kind === 'call') this.#calls.push({ tool: value.tool, input: value.input });
    else if (kind === 'trace') this.#traces.push(value);
    else if (kind === 'variables') this.#variables = value;
    else this.#end = endOf(value);
    return undefined;
  }

  /** @param {{ object: string, property: string, value: import('#lib/kernel').Json }} write @returns {string} why it is refused */
  #written(write) {
    const outcome = this.properties.write(write);
    if (outcome && 'problem' in outcome) return outcome.problem;
    if (outcome) this.#traces.push(outcome.trace);
    return '';
  }

  /** @param {string} limit @param {string} message @returns {undefined} */
  #stop(limit, message) {
    this.#variables = undefined;
    this.#end = { kind: 'limit', limit, message };
  }

  /** @param {Handle} entries @param {string} name @param {Handle[]} args */
  #called(entries, name, ...args) {
    const entry = this.vm.getProp(entries, name);
    return this.#value(this.vm.callFunction(entry, this.vm.undefined, ...args));
  }

  /** @param {import('quickjs-emscripten-core').VmCallResult<Handle>} result @returns {Handle} */
  #value(result) {
    if (!result.error) return result.value;
    this.#failed(result.error);
    throw new Error('The program has ended.');
  }

  /** @param {Handle} error */
  #failed(error) {
    const { name, message, line } = this.#errorOf(error);
    this.#end ??= { kind: 'threw', name, message, ...(line !== undefined && { line }) };
  }

  /** @param {Handle} error */
  #errorOf(error) {
    const dumped = this.vm.dump(error);
    const {
      name = 'Error',
      message = String(dumped),
      stack = '',
    } = typeof dumped === 'object' && dumped !== null ? dumped : {};
    return { name: short(name), message: short(message), line: lineIn(String(stack)) };
  }
}

/** @param {unknown} error */
function messageOf(error) {
  return error instanceof Error ? error.message : String(error);
}
