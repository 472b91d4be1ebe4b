/** Characters of JSON text after which a batch ends: what a thread has ahead of the printer. */
const MOST_TEXT = 1024 * 1024;

/**
 * The values in batches of some text, the last of them as the result. A value that is longer is alone or the last of its batch. An error
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
