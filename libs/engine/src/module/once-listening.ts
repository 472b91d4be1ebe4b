import type { HttpAdapterHost } from '@nestjs/core';

/** An application that makes an HTTP server need not listen with it, as in tests. */
const LISTENS_WITHIN_MS = 1_000;

/**
 * Calls back once the HTTP server of the application listens, a second later at the latest; at once where the application has none.
 * @returns calls it off
 */
export function onceListening(host: HttpAdapterHost | undefined, begin: () => void): () => void {
  if (!host?.httpAdapter) {
    begin();
    return () => undefined;
  }
  const timer = setTimeout(() => start(), LISTENS_WITHIN_MS);
  const listening = host.listen$.subscribe(() => start());
  const callOff = () => {
    clearTimeout(timer);
    listening.unsubscribe();
  };
  const start = () => {
    callOff();
    begin();
  };
  return callOff;
}
