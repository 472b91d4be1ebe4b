import { type ReactNode, useEffect } from 'react';
import { baseUrl, token } from '../data/server.js';
import { CopyButton } from './copy-button.js';
import type { Outside } from './outside-the-browser.js';
import { commandOf, curlOf } from './shell-words.js';
import { Ago } from './time.js';

interface PageProps {
  readonly title: string;
  /** The kind of the object in the title. */
  readonly kind?: string;
  /** Several, if the page combines them. */
  readonly outside?: Outside | readonly Outside[];
  readonly facts?: ReactNode;
  /** Buttons before those of `outside`. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** The frame of every page: one heading, its facts, and how to get the same content outside the browser. */
export function Page({ title, kind, outside = [], facts, actions, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Redial`;
  }, [title]);
  const needsToken = token.get() !== undefined;
  const places = [outside].flat();
  const calls = places.map(({ path }) => curlOf(`${baseUrl}/v1${path}`, needsToken));
  const commands = places.flatMap(({ command }) =>
    command ? [commandOf(baseUrl, command, needsToken)] : [],
  );
  return (
    <>
      <header className="page-head">
        <div className="page-title">
          {kind !== undefined && <p className="kind">{kind}</p>}
          <h1>{title}</h1>
        </div>
        <div className="page-actions">
          {actions}
          {calls.length > 0 && <CopyButton label="Copy as curl" text={calls.join('\n')} />}
          {commands.length > 0 && <CopyButton label="Copy as command" text={commands.join('\n')} />}
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

/** A fact that is a time. */
export function TimeFact({ name, time }: { readonly name: string; readonly time: string }) {
  return (
    <Fact name={name}>
      <Ago time={time} />
    </Fact>
  );
}
