/** Groups neighbouring rounds by their session. */
export function* bySession<Round extends { readonly sessionId: string }>(
  rounds: readonly Round[],
): Generator<readonly Round[], undefined> {
  for (let from = 0, end = 0; from < rounds.length; from = end) {
    const id = rounds[from]?.sessionId;
    while (end < rounds.length && rounds[end]?.sessionId === id) end += 1;
    yield rounds.slice(from, end);
  }
  return undefined;
}
