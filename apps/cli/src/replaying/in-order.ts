/**
 * The results of work on each item, in the order of the items. At most `most` items are in work at once; each is one result ahead of the
 * reader.
 */
export async function* inOrder<Item, Result>(
  items: AsyncIterable<Item>,
  most: number,
  work: (item: Item) => AsyncGenerator<Result>,
): AsyncGenerator<Result> {
  const begun: AsyncIterable<Result>[] = [];
  for await (const item of items) {
    begun.push(oneAhead(work(item)));
    const oldest = begun.length === most ? begun.shift() : undefined;
    if (oldest) yield* oldest;
  }
  for (const rest of begun) yield* rest;
}

function oneAhead<Result>(results: AsyncGenerator<Result>): AsyncIterable<Result> {
  const first = results.next();
  // The reader, who may come later or not at all, gets its error.
  first.catch(() => undefined);
  return (async function* () {
    for (let { done, value } = await first; !done; { done, value } = await results.next()) yield value;
  })();
}
