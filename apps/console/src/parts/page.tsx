import { type ReactNode, useEffect } from 'react';
import { baseUrl, token } from '../data/server.js';
import { CopyButton } from './copy-button.js';
import type { Outside } from './outside-the-browser.js';
import { commandOf, curlOf } from './shell-words.js';

interface PageProps {
  readonly title: string;
  /** The kind of thing that the title names. */
  readonly kind?: string;
  readonly outside?: Outside;
  readonly facts?: ReactNode;
  /** Buttons before those that copy. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** The frame of every page: one heading, what it is about, and how to get the same outside the browser. */
export function Page({ title, kind, outside, facts, actions, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Redial`;
  }, [title]);
  const needsToken = token.get() !== undefined;
  return (
    <>
      <header className="page-head">
        <div className="page-title">
          {kind !== undefined && <p className="kind">{kind}</p>}
          <h1>{title}</h1>
        </div>
        <div className="page-actions">
          {actions}
          {outside && (
            <CopyButton label="Copy as curl" text={curlOf(`${baseUrl}/v1${outside.path}`, needsToken)} />
          )}
          {outside?.command && (
            <CopyButton label="Copy as command" text={commandOf(baseUrl, outside.command, needsToken)} />
          )}
        </div>
        {facts !== undefined && <div className="page-facts">{facts}</div>}
      </header>
      {children}
    </>
  );
}

/** A name and its value, in a line above the tabs. */
export function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <span className="fact">
      <span className="fact-name">{name}</span> {children}
    </span>
  );
}
