import { jsonLine, oneLine, type RecordedEvent } from '#lib/kernel';
import {
  type LlmCallCompleted,
  type LlmCallRequested,
  problemIn,
  type SandboxCompleted,
  type SandboxTrace,
  type ToolCallRequested,
  readReply,
} from '#lib/call-rules';
import type { RunDelta } from '#lib/runs/runs/core';
import { type Paint, paintFor, printLines, type Sink } from '../io.js';
import { highlight } from './highlight.js';

const LONGEST = 300;

interface CallOutcome {
  readonly stepId?: string;
  readonly result?: { readonly data?: unknown };
  readonly failure?: { readonly message: string };
  readonly error?: { readonly message: string };
}

/** Prints a run of code as it goes: the model's text, line by line, then each call of the code with its result. */
export class CodePrinter {
  readonly #paint: Paint;
  readonly #calls = new Map<string, string>();
  #line = '';
  #hasHeard = false;
  #hasReturned = false;
  #replies = 0;

  constructor(private readonly out: Sink) {
    this.#paint = paintFor(out);
  }

  /** A part of a reply while it comes. */
  hear({ text }: RunDelta): void {
    this.#hasHeard = true;
    const [first = '', ...rest] = text.split('\n');
    this.#line += first;
    for (const next of rest) {
      this.#code(this.#line);
      this.#line = next;
    }
  }

  print({ type, data }: RecordedEvent): void {
    const { stepId = '', result, failure, error } = data as CallOutcome;
    switch (type) {
      case 'LlmCallRequested':
        return this.#asked(data as LlmCallRequested['data']);
      case 'LlmCallCompleted':
        return this.#replied(data as LlmCallCompleted['data']);
      case 'ToolCallRequested':
        return this.#called(stepId, data as ToolCallRequested['data']);
      case 'ToolCallCompleted':
        return this.#came(stepId, result?.data ?? null);
      case 'LlmCallFailed':
        this.#flush();
        return this.#failed('', failure?.message);
      case 'ToolCallFailed':
        return this.#failed(stepId, failure?.message);
      case 'ToolCallRejected':
        return this.#failed('', error?.message);
      case 'SandboxCompleted':
        return this.#ran(data as SandboxCompleted['data']);
      case 'MessageSent':
        return this.#tell(`  ${this.#paint('bold', 'message')} ${jsonLine(data, LONGEST)}`);
      default:
        return undefined;
    }
  }

  /** Prints no line: the event of a reply has flushed its shown parts. */
  end(): void {}

  /** After a value that was not an exit, the reason that the model gets. */
  #asked({ body }: LlmCallRequested['data']): void {
    const { add = [] } = (body as { messages?: { add?: readonly { content?: string }[] } }).messages ?? {};
    const [why = ''] = add.at(-1)?.content?.split('\n') ?? [];
    if (this.#hasReturned) this.#tell(`  ${this.#paint('yellow', '↻')} ${oneLine(why, LONGEST)}`);
    this.#hasReturned = false;
    this.#tell(this.#paint('bold', `program ${this.#replies + 1}`));
  }

  #replied(data: LlmCallCompleted['data']): void {
    this.#replies += 1;
    if (!this.#flush()) {
      const reply = readReply(data);
      const text = reply.kind === 'completion' ? reply.content : '';
      for (const line of text.split('\n')) this.#code(line);
    }
  }

  /** Ends the shown part of a reply. @returns whether there was one */
  #flush(): boolean {
    const hasHeard = this.#hasHeard;
    if (this.#line !== '') this.#code(this.#line);
    this.#hasHeard = false;
    this.#line = '';
    return hasHeard;
  }

  #called(stepId: string, { toolId, arguments: given = {} }: ToolCallRequested['data']): void {
    const call = `${oneLine(toolId)}(${jsonLine(given, LONGEST)})`;
    this.#calls.set(stepId, call);
    this.#tell(`  ${this.#paint('cyan', '→')} ${call}`);
  }

  #came(stepId: string, result: unknown): void {
    this.#tell(
      `  ${this.#paint('green', '←')} ${this.#calls.get(stepId) ?? ''} = ${jsonLine(result, LONGEST)}`,
    );
  }

  #failed(stepId: string, message = ''): void {
    const call = this.#calls.get(stepId);
    const what = call === undefined ? '' : ` ${call}`;
    this.#tell(`  ${this.#paint('red', '✗')}${what} ${oneLine(message, LONGEST)}`);
  }

  #ran({ traces, end }: SandboxCompleted['data']): void {
    for (const trace of traces) {
      const line = traceLine(trace);
      if (line !== undefined) this.#tell(`  ${this.#paint('dim', line)}`);
    }
    this.#hasReturned = end?.kind === 'returned';
    if (end?.kind === 'returned')
      this.#tell(`  ${this.#paint('bold', 'returned')} ${jsonLine(end.value, LONGEST)}`);
    else if (end) this.#failed('', problemIn(end));
  }

  #code(line: string): void {
    this.#tell(`  ${this.#paint('dim', '│')} ${highlight(line, this.#paint)}`);
  }

  #tell(line: string): void {
    printLines(this.out, [line]);
  }
}

/** Comments are in the code already. */
function traceLine(trace: SandboxTrace): string | undefined {
  const { type, text, value, object, property, after } = trace as {
    readonly [member: string]: unknown;
    readonly text?: string;
    readonly object?: string;
    readonly property?: string;
  };
  if (type === 'log') return `log ${oneLine(text ?? '', LONGEST)}`;
  if (type === 'yield') return `yield ${jsonLine(value, LONGEST)}`;
  return type === 'property' ? `${object}.${property} = ${jsonLine(after, LONGEST)}` : undefined;
}
