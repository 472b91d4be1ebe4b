import { Link } from '@tanstack/react-router';
import { useQuery } from '@tanstack/react-query';
import type { ConcludedLlmCall } from '#lib/client';
import { useAddress, useId } from '../app/address.js';
import { UnknownThing } from '../app/not-found-page.js';
import { isUnknown, server } from '../data/server.js';
import { dollars, duration, shortId, whole } from '../parts/format.js';
import { Loading, Problem } from '../parts/notice.js';
import { Fact, Page } from '../parts/page.js';
import { Status } from '../parts/status.js';
import { Timestamp } from '../parts/time.js';
import { SessionLink } from '../parts/session-link.js';
import { Attempts } from './attempts.js';
import { ReplyRegion } from './reply-region.js';
import { TriedReply, TryCall } from './try-call.js';
import { RequestRegion } from './request-region.js';

export function CallPage() {
  const callId = useId();
  const { try: tried } = useAddress();
  const call = useQuery({ queryKey: ['calls', callId], queryFn: () => server().getLlmCall({ callId }) });
  if (isUnknown(call.error)) return <UnknownThing kind="call" id={callId} list="/calls" />;
  return (
    <Page
      title={`Call ${shortId(callId)}`}
      outside={{ path: `/llm-calls/${callId}`, command: ['show', callId] }}
      facts={call.data && <Facts call={call.data} />}
      actions={call.data && <TryCall call={call.data} />}
    >
      {call.error && <Problem error={call.error} />}
      {call.data ? (
        <>
          <div className="two">
            <RequestRegion call={call.data} />
            <div className="stays">
              <ReplyRegion call={call.data} />
              {tried !== undefined && <TriedReply callId={tried} />}
            </div>
          </div>
          <Attempts call={call.data} />
        </>
      ) : (
        !call.error && <Loading />
      )}
    </Page>
  );
}

function Facts({ call }: { readonly call: ConcludedLlmCall }) {
  const { outcome, askedAgain, model, resolvedModel, provider, tokens, costUSD, durationMs, requestedAt } =
    call;
  const isOther = resolvedModel !== undefined && resolvedModel !== model;
  return (
    <p className="fact-line">
      <Status status={askedAgain ? 'askedAgain' : outcome} />
      <Fact name="Model">
        {provider}/{model}
        {isOther && ` (answered by ${resolvedModel})`}
      </Fact>
      <Owner call={call} />
      <Fact name="Tokens">{tokensText(tokens)}</Fact>
      <Fact name="Cost">{dollars(costUSD)}</Fact>
      {durationMs !== null && <Fact name="Took">{duration(durationMs)}</Fact>}
      <Fact name="Asked">
        <Timestamp time={requestedAt} />
      </Fact>
    </p>
  );
}

/** The tokens of each bucket that is not empty. */
function tokensText(tokens: ConcludedLlmCall['tokens']): string {
  const used = BUCKETS.filter(([bucket]) => tokens[bucket] > 0);
  return used.length === 0
    ? '–'
    : used.map(([bucket, words]) => `${whole(tokens[bucket])} ${words}`).join(', ');
}

const BUCKETS = [
  ['inputUncached', 'in'],
  ['cacheRead', 'from the cache'],
  ['cacheWrite', 'to the cache'],
  ['output', 'out'],
  ['reasoning', 'of them reasoning'],
] as const;

function Owner({ call: { sessionId, specialistId, runId, workflow } }: { readonly call: ConcludedLlmCall }) {
  if (sessionId === undefined)
    return (
      <Fact name="Run">
        <Link to="/runs/$id" params={{ id: runId }}>
          {workflow} {shortId(runId)}
        </Link>
      </Fact>
    );
  return (
    <Fact name="Session">
      <SessionLink sessionId={sessionId} />
      {specialistId !== undefined && `, asked as ${specialistId}`}
    </Fact>
  );
}
