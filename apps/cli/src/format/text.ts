import { oneLine } from '#lib/kernel';

/** A share from 0 to 1 in percent. */
export function percent(share: number, digits = 0): string {
  return `${(share * 100).toFixed(digits)} %`;
}

/** A number that may be unknown. */
export function known(value: number | null | undefined, text: (value: number) => string): string {
  return value === null || value === undefined ? '-' : text(value);
}

/** A duration in whole milliseconds. */
export function wholeMs(ms: number): string {
  return String(Math.round(ms));
}

/** Where a fork goes on, who made it, and the reason if one was given. */
export function forkText(
  place: string,
  { by, reason }: { readonly by: string; readonly reason?: string },
): string {
  return `of ${place}, by ${oneLine(by)}${reason === undefined ? '' : `: ${oneLine(reason)}`}`;
}
