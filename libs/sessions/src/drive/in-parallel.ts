/**
 * Does the work for every item, some of them at the same time, and gives the results in the order of the items.
 * Everything is tried; the first failure is thrown then.
 */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: PromiseSettledResult<Result>[] = [];
  const queue = items.entries();
  const lane = async () => {
    for (const [index, item] of queue) [results[index]] = await Promise.allSettled([work(item)]);
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  return results.map((result) => {
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  });
}
