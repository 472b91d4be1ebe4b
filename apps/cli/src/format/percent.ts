/** A share from 0 to 1 in whole percent. */
export function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
