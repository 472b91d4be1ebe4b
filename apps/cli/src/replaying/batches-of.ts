/** Characters of JSON text after which a batch ends: a thread is this far ahead of the printer. */
const MOST_TEXT = 1024 * 1024;

/**
 * The values in batches of some text; the last batch is the result. A longer value is alone in its batch, or the last one of it. An error
 * comes after the values before it.
 */
export async function* batchesOf<T>(
  values: AsyncIterable<T> | Iterable<T>,
  mostText = MOST_TEXT,
): AsyncGenerator<readonly T[], readonly T[]> {
  let batch: T[] = [];
  let text = 0;
  try {
    for await (const value of values) {
      batch.push(value);
      text += JSON.stringify(value).length;
      if (text < mostText) continue;
      yield batch;
      [batch, text] = [[], 0];
    }
  } catch (error) {
    yield batch;
    throw error;
  }
  return batch;
}
