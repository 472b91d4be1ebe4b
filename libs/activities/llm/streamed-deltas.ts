import { StringDecoder } from 'node:string_decoder';
import { bringsToken, chunksIn, deltaText, LINE_END } from '#lib/call-rules';
import type { Redactor } from '../redaction/redactor.js';

/** Reads a streamed reply while it comes: the texts that it adds, and the time of the first part of the message. */
export class StreamedDeltas {
  readonly #decoder = new StringDecoder('utf8');
  #line = '';
  #firstTokenMs: number | undefined;

  /** @param elapsed milliseconds since the call began @param shown gets the texts */
  constructor(
    private readonly elapsed: () => number,
    private readonly shown: ShownText,
  ) {}

  /** Absent until a part of the message has come. */
  get firstTokenMs(): number | undefined {
    return this.#firstTokenMs;
  }

  take(bytes: Buffer): void {
    const [first = '', ...rest] = this.#decoder.write(bytes).split(LINE_END);
    const lines = [this.#line + first, ...rest];
    this.#line = lines.pop() ?? '';
    for (const chunk of chunksIn(lines)) {
      if (this.#firstTokenMs === undefined && bringsToken(chunk)) this.#firstTokenMs = this.elapsed();
      const text = deltaText(chunk);
      if (text !== '') this.shown.push(text);
    }
  }

  end(): void {
    this.shown.end();
  }
}

/** Shows a text part by part. */
interface ShownText {
  readonly push: (text: string) => void;
  readonly end: () => void;
}

/**
 * Shows texts without known secrets. Characters at the end that may begin a secret wait for the next part. Encoded forms of a secret are shown as
 * they come; the record has none of them.
 */
export function withoutSecrets(redactor: Redactor, emit: (text: string) => void): ShownText {
  let held = '';
  const show = (text: string) => void (text !== '' && emit(redactor.text(text)));
  return {
    push: (text) => {
      const all = held + text;
      const kept = redactor.openEnd(all);
      held = all.slice(all.length - kept);
      show(all.slice(0, all.length - kept));
    },
    end: () => {
      show(held);
      held = '';
    },
  };
}
