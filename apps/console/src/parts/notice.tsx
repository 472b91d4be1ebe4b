import type { ReactNode } from 'react';
import { wordsOf } from '../data/server.js';

/** An empty list or part, and advice. */
export function Empty({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  return (
    <div className="empty">
      <p className="empty-title">{title}</p>
      {children}
    </div>
  );
}

/** An error of the server or of the connection to it, in its words. */
export function Problem({ error }: { readonly error: unknown }) {
  return (
    <p className="problem" role="alert">
      {wordsOf(error)}
    </p>
  );
}

export function Loading() {
  return (
    <p className="loading" aria-busy="true">
      Loading …
    </p>
  );
}
