import { Link } from '@tanstack/react-router';
import { useQuery } from '@tanstack/react-query';
import type { ConcludedLlmCall } from '#lib/client';
import { useSetAddress } from '../app/address.js';
import { useMay } from '../data/principal.js';
import { server } from '../data/server.js';
import type { Field } from '../forms/fields.js';
import { FormDialog } from '../parts/form-dialog.js';
import { shortId } from '../parts/format.js';
import { Loading, Problem } from '../parts/notice.js';
import { ReplyRegion } from './reply-region.js';

const MODEL: Field = { name: 'modelId', label: 'Model', kind: 'text', isNeeded: true };

/** Sends the recorded request again, to another model. The address then names the call of the try. */
export function TryCall({ call: { callId, model, outcome } }: { readonly call: ConcludedLlmCall }) {
  const set = useSetAddress();
  const mayTry = useMay('operator');
  if (!mayTry || outcome === 'erased') return null;
  const send = async ({ modelId }: { readonly [name: string]: unknown }) => {
    const { call } = await server().tryCall({ callId, modelId: modelId as string });
    set({ try: call.callId });
  };
  return (
    <FormDialog
      button="Try with another model"
      title="Try with another model"
      verb="Try"
      fields={[MODEL]}
      begun={{ modelId: model }}
      send={send}
      changes={['calls']}
    />
  );
}

/** The reply to a try, below the recorded one. */
export function TriedReply({ callId }: { readonly callId: string }) {
  const { data, error } = useQuery({
    queryKey: ['calls', callId],
    queryFn: () => server().getLlmCall({ callId }),
  });
  if (error) return <Problem error={error} />;
  if (!data) return <Loading />;
  return (
    <>
      <ReplyRegion call={data} label={`Reply of ${data.model}`} />
      <p className="dim section-note">
        A try changes nothing and counts nowhere:{' '}
        <Link to="/calls/$id" params={{ id: callId }}>
          call {shortId(callId)}
        </Link>
      </p>
    </>
  );
}
