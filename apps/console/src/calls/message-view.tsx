import { LongText, Readable } from '../parts/json-view.js';
import type { Message } from './read-call.js';

/** A message as a person reads it: its text, and the tools that it calls. */
export function MessageView({ message: { role, text, calls } }: { readonly message: Message }) {
  return (
    <div className={`message ${role}`}>
      <p className="role">{role}</p>
      {text !== '' && (
        <p>
          <LongText text={text} />
        </p>
      )}
      {calls.map(({ name, arguments: given }, index) => (
        <div key={index} className="called">
          <p>
            calls <b>{name}</b>
          </p>
          <Readable value={given} />
        </div>
      ))}
    </div>
  );
}
