import { useState } from 'react';
import type { ConcludedLlmCall } from '#lib/client';
import { LongText, Raw } from '../parts/json-view.js';
import { Status } from '../parts/status.js';
import { MessageView } from './message-view.js';
import { readReply, valueOf } from './read-call.js';

interface ReplyProps {
  readonly call: ConcludedLlmCall;
  readonly label?: string;
}

/** The reply of the model, and the conclusion. */
export function ReplyRegion({ call, label = 'Reply' }: ReplyProps) {
  const [isRaw, setRaw] = useState(false);
  const { responseStatus, responseBody, responseIncomplete, outcome, conclusion, askedAgain } = call;
  const reply = readReply(responseBody);
  return (
    <section aria-label={label} className="card">
      <header className="card-head">
        <h2>{label}</h2>
        <span className="dim">
          {responseStatus === null ? 'none came' : `status ${responseStatus}`}
          {responseIncomplete && ', incomplete'}
          {reply?.finishReason !== undefined && `, finish reason ${reply.finishReason}`}
        </span>
        <button type="button" className="quiet-button" aria-pressed={isRaw} onClick={() => setRaw(!isRaw)}>
          Raw
        </button>
      </header>
      {isRaw ? (
        <Raw value={valueOf(responseBody ?? '')} />
      ) : (
        <>
          {reply?.refusal !== undefined && <p className="problem">The model refused: {reply.refusal}</p>}
          {reply ? <MessageView message={reply.message} /> : <Unreadable body={responseBody} />}
        </>
      )}
      <div className="conclusion">
        <h3>Conclusion</h3>
        <p>
          <Status status={askedAgain ? 'askedAgain' : outcome} /> {conclusion}
        </p>
      </div>
    </section>
  );
}

function Unreadable({ body }: { readonly body: string | null }) {
  if (body === null || body === '') return <p className="dim">No body came.</p>;
  return (
    <pre className="raw" tabIndex={0} aria-label="Body">
      <LongText text={body} />
    </pre>
  );
}
