import { useEffect, useSyncExternalStore } from 'react';
import { isUnauthorized, server } from './server.js';
import { queryClient } from './query-client.js';

/** Two seconds after a change a person sees it. */
const BEAT_MS = 1_000;
const LONGEST_MS = 4_000;
/** One request that is lost is no lost connection. */
const LOST_AFTER = 2;

let isLost = false;
const listeners = new Set<() => void>();

function setLost(value: boolean): void {
  if (isLost === value) return;
  isLost = value;
  for (const listener of listeners) listener();
}

/** Whether the server has not answered for a while. */
export function useIsConnectionLost(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => isLost,
  );
}

/**
 * Asks once a second how far log and rows are, while the page is looked at. When they have moved, what is on the page is read again;
 * what is not is read again when it is opened.
 */
export function usePulse(): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let failures = 0;
    let known: string | undefined;
    const beat = async () => {
      if (!document.hidden) {
        try {
          const place = await placeOfLog();
          failures = 0;
          setLost(false);
          if (known !== undefined && place !== known) void queryClient.invalidateQueries();
          known = place;
        } catch (error) {
          failures += 1;
          if (isUnauthorized(error)) void queryClient.invalidateQueries({ queryKey: ['principal'] });
          else if (failures >= LOST_AFTER) setLost(true);
        }
      }
      timer = setTimeout(() => void beat(), BEAT_MS);
    };
    void beat();
    return () => clearTimeout(timer);
  }, []);
}

/** A text that is another one after every event, and again when the rows have taken it. */
async function placeOfLog(): Promise<string> {
  const { items } = await server().listProjections({}, { signal: AbortSignal.timeout(LONGEST_MS) });
  return items.map(({ name, position, headPosition }) => `${name} ${position} ${headPosition}`).join('\n');
}
