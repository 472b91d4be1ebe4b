/**
 * A part of an answer while it is made, for display alone; or, as the last one, the answer. The members are those of event streams over HTTP.
 */
export type Streamed<Delta, Answer> =
  | { readonly event: 'delta'; readonly data: Delta }
  | { readonly event: 'done'; readonly data: Answer };

/** Parts are left out while this many characters are unread: the answer has the whole text. */
const MOST_UNREAD = 65_536;

/**
 * The deltas that come during some work, then its answer. The work begins with the first `next`, and continues if the reader leaves.
 * @param listen starts the deltas, and returns a function that ends them
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
    // Its error is thrown below, after the deltas.
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
