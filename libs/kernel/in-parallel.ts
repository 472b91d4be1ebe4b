/** Does the work for every item, some of them at the same time, and gives the outcomes in the order of the items. */
export async function settledInParallel<Item, Result>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<Result>,
): Promise<readonly PromiseSettledResult<Result>[]> {
  const results: PromiseSettledResult<Result>[] = [];
  const queue = items.entries();
  const lane = async () => {
    for (const [index, item] of queue) [results[index]] = await Promise.allSettled([work(item)]);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, lane));
  return results;
}

/** `settledInParallel` with plain results. The work is done for every item; then the first failure is thrown. */
export async function inParallel<Item, Result>(
  ...given: Parameters<typeof settledInParallel<Item, Result>>
): Promise<readonly Result[]> {
  return (await settledInParallel(...given)).map((result) => {
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  });
}
