import { useState } from 'react';
import type { LlmCall } from '#lib/client';
import { LongText, Raw } from '../parts/json-view.js';
import { Status } from '../parts/status.js';
import { MessageView } from './message-view.js';
import { readReply, valueOf } from './read-call.js';

/** Why the ladder stops here, or goes on. */
const CONCLUSIONS: { readonly [Outcome in LlmCall['outcome']]: string } = {
  toolCall: 'A tool was called. Its arguments are checked, and then it is the choice.',
  decision: 'The text holds a decision as JSON. It is read from this reply, without another call.',
  noToolCall: 'No tool was called and the text holds no decision: the model is asked again.',
  unreadable: 'The text holds no decision, and this was the last way to ask.',
  failed: 'There is no reply that can be used.',
  pending: 'No reply has come yet.',
};

/** The reply of the model, and the conclusion. */
export function ReplyRegion({ call }: { readonly call: LlmCall }) {
  const [isRaw, setRaw] = useState(false);
  const { responseStatus, responseBody, responseIncomplete, error, outcome } = call;
  const reply = readReply(responseBody);
  return (
    <section aria-label="Reply" className="card stays">
      <header className="card-head">
        <h2>Reply</h2>
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
      {error !== null && <p className="problem">{error}</p>}
      <div className="conclusion">
        <h3>What was concluded</h3>
        <p>
          <Status status={outcome} /> {CONCLUSIONS[outcome]}
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
