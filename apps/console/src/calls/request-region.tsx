import { useState } from 'react';
import type { LlmCall } from '#lib/client';
import { Raw, Readable } from '../parts/json-view.js';
import { MessageView } from './message-view.js';
import { readRequest, type Tool } from './read-call.js';

/** The request as a person reads it: messages by role, tools as a table, and the settings. */
export function RequestRegion({ call }: { readonly call: LlmCall }) {
  const [isRaw, setRaw] = useState(false);
  const { messages, tools, settings } = readRequest(call.requestBody);
  return (
    <section aria-label="Request" className="card">
      <header className="card-head">
        <h2>Request</h2>
        <button type="button" className="quiet-button" aria-pressed={isRaw} onClick={() => setRaw(!isRaw)}>
          Raw
        </button>
      </header>
      {isRaw ? (
        <Raw value={{ url: call.requestUrl, headers: call.requestHeaders, body: call.requestBody }} />
      ) : (
        <>
          {messages.map((message, index) => (
            <MessageView key={index} message={message} />
          ))}
          {tools.length > 0 && <Tools tools={tools} />}
          <details>
            <summary>Settings</summary>
            <Readable value={settings} />
          </details>
        </>
      )}
    </section>
  );
}

function Tools({ tools }: { readonly tools: readonly Tool[] }) {
  return (
    <>
      <h3>Tools</h3>
      <table className="list plain" aria-label="Tools">
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Description</th>
            <th scope="col">Arguments</th>
          </tr>
        </thead>
        <tbody>
          {tools.map(({ name, description, parameters }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{description || '–'}</td>
              <td>{argumentsOf(parameters).join(', ') || '–'}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

/** The names of the arguments; those that may be left out with `?`. */
function argumentsOf(parameters: unknown): readonly string[] {
  const { properties = {}, required = [] } = (parameters ?? {}) as {
    readonly properties?: object;
    readonly required?: readonly string[];
  };
  return Object.keys(properties).map((name) => (required.includes(name) ? name : `${name}?`));
}
