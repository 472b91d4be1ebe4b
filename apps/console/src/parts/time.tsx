import { relative, timestamp } from './format.js';
import { useSyncExternalStore } from 'react';

const TICK_MS = 5_000;

let now = Date.now();
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

function subscribe(listener: () => void): () => void {
  // Old if the page before said no times.
  if (listeners.size === 0) now = Date.now();
  listeners.add(listener);
  timer ??= setInterval(() => {
    now = Date.now();
    for (const each of listeners) each();
  }, TICK_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** The current time, updated by one timer for the whole page. */
function useNow(): number {
  return useSyncExternalStore(subscribe, () => now);
}

/** How long ago, with the exact time as a title and for programs. */
export function Ago({ time }: { readonly time: string }) {
  return (
    <time dateTime={time} title={`${timestamp(time)} UTC`}>
      {relative(time, useNow())}
    </time>
  );
}

export function Timestamp({ time }: { readonly time: string }) {
  return (
    <time dateTime={time} title={time} className="number">
      {timestamp(time)}
    </time>
  );
}
