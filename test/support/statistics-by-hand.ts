import { expect } from '@jest/globals';

/** Wilson's interval at 95 % as textbooks write it. */
export function wilsonByFormula(count: number, n: number): { readonly low: unknown; readonly high: unknown } {
  const z = 1.96;
  const p = count / n;
  const middle = p + (z * z) / (2 * n);
  const half = z * Math.sqrt((p * (1 - p) + (z * z) / (4 * n)) / n);
  const within = 1 + (z * z) / n;
  return { low: close((middle - half) / within), high: close((middle + half) / within) };
}

function close(value: number): unknown {
  return expect.closeTo(value, 10);
}

/** The two-sided exact test, by adding up the probabilities of all splits that are at least so uneven. */
export function mcnemarByCounting(onlyA: number, onlyB: number): number {
  const n = onlyA + onlyB;
  let sum = 0;
  for (let k = 0; k <= n; k += 1)
    if (Math.abs(2 * k - n) >= Math.abs(onlyA - onlyB)) sum += choose(n, k) / 2 ** n;
  return sum;
}

function choose(n: number, k: number): number {
  return k === 0 ? 1 : (choose(n - 1, k - 1) * n) / k;
}
