const DIGITS = 1e9;

/** To nine digits after the point: databases add the same numbers up in orders of their own, and the last digits differ. */
export function rounded(value: number): number {
  return Math.round(value * DIGITS) / DIGITS;
}
