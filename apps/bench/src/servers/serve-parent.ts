/** A server that runs. */
export interface Serving {
  readonly url: string;
  close(): Promise<void>;
}

/** In a forked process: starts a server with the text that the parent sends, reports its URL, and ends when the parent disconnects. */
export function serveParent(start: (input: string) => Promise<Serving>): void {
  process.once('message', (input: string) => void serve(start, input));
}

/** In a forked process: does work with the text that the parent sends, reports the result, and ends. */
export function answerParent(work: (input: string) => Promise<object>): void {
  process.once('message', (input: string) => {
    void work(input).then((answer) => process.send?.(answer, () => process.disconnect()));
  });
}

async function serve(start: (input: string) => Promise<Serving>, input: string): Promise<void> {
  const serving = await start(input);
  process.once('disconnect', () => void serving.close());
  process.send?.(serving.url);
}
