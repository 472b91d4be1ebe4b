import { useEffect, useSyncExternalStore } from 'react';
import { queryClient, readAgain } from './query-client.js';
import { shareConnection } from './shared-connection.js';

/** While events come all the time, a page is read again once a second. */
const BEAT_MS = 1_000;

let isLost = false;
const listeners = new Set<() => void>();

function setLost(value: boolean): void {
  if (isLost === value) return;
  isLost = value;
  for (const listener of listeners) listener();
}

/** Whether the event stream is disconnected. */
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
 * Reads the data on the page again when the log has new events, and when the connection is back. Other data is read again when it is opened.
 */
export function usePulse(): void {
  useEffect(() => {
    const leaving = new AbortController();
    const beat = inBeats(leaving.signal, readAgain);
    const askWhoAmI = () => void queryClient.invalidateQueries({ queryKey: ['principal'] });
    let known: string | undefined;
    void shareConnection(
      leaving.signal,
      (message) => {
        const isBack = isLost && !message.isLost;
        setLost(message.isLost);
        if (isBack || message.position !== known) beat();
        known = message.position;
      },
      askWhoAmI,
    );
    return () => leaving.abort();
  }, []);
}

/** Does the work now and, if it is requested meanwhile, once more after a beat: a slow answer is not given up for a newer one. */
function inBeats(signal: AbortSignal, work: () => Promise<void>): () => void {
  let isWanted = false;
  let isWorking = false;
  const beat = async () => {
    isWorking = true;
    while (isWanted && !signal.aborted) {
      isWanted = false;
      await work();
      await new Promise((resolve) => setTimeout(resolve, BEAT_MS));
    }
    isWorking = false;
  };
  return () => {
    isWanted = true;
    if (!isWorking) void beat();
  };
}
