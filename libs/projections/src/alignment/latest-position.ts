/** The last of these positions of one log; no member where there are none. */
export function latestPosition(placed: readonly { readonly position: string }[]): {
  readonly position?: string;
} {
  const [last] = placed.map(({ position }) => position).toSorted((a, b) => (a > b ? -1 : 1));
  return last === undefined ? {} : { position: last };
}
