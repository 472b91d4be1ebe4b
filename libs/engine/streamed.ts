/** A part of an answer while it is made, for display alone; or, as the last one, the answer. The members are those of streams over HTTP. */
export type Streamed<Delta, Answer> =
  | { readonly event: 'delta'; readonly data: Delta }
  | { readonly event: 'done'; readonly data: Answer };

/** Parts that come while this many characters are unread are left out: the answer has everything. */
const MOST_UNREAD = 65_536;

/**
 * The deltas that come while work is done, then its answer. The work begins with the first `next`, and goes on if the reader leaves.
 * @param listen begins to tell deltas, and returns what ends that
 * @throws the error of the work, after the deltas that came before it
 */
export async function* streamed<Delta extends { readonly text: string }, Answer>(
  listen: (tell: (delta: Delta) => void) => () => void,
  work: () => Promise<Answer>,
): AsyncGenerator<Streamed<Delta, Answer>, void> {
  let unread: Delta[] = [];
  let length = 0;
  let wake: () => void = () => undefined;
  const leave = listen((delta) => {
    if (length > MOST_UNREAD) return;
    length += delta.text.length;
    unread.push(delta);
    wake();
  });
  let result: Answer;
  try {
    let isOver = false;
    const answer = work().finally(() => {
      isOver = true;
      wake();
    });
    // Its error is thrown below, where it is awaited.
    answer.catch(() => undefined);
    for (;;) {
      for (const data of takeAll()) yield { event: 'delta', data };
      if (unread.length > 0) continue;
      if (isOver) break;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    result = await answer;
  } finally {
    leave();
  }
  yield { event: 'done', data: result };

  function takeAll(): readonly Delta[] {
    const taken = unread;
    [unread, length] = [[], 0];
    return taken;
  }
}
