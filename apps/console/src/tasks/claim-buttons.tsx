import { useMutation } from '@tanstack/react-query';
import type { Task } from '#lib/client';
import { usePrincipal } from '../data/principal.js';
import { queryClient } from '../data/query-client.js';
import { server } from '../data/server.js';
import { Problem } from '../parts/notice.js';
import { Ago } from '../parts/time.js';

/** A claim keeps others from answering for half an hour. */
export function ClaimButtons({ task, actAs }: { readonly task: Task; readonly actAs: string | undefined }) {
  const { taskId, claimedBy, claimedUntil } = task;
  const { data: principal } = usePrincipal();
  const me = principal?.personId ?? actAs;
  const input = { taskId, ...(actAs !== undefined && { actAs }) };
  const change = useMutation({
    mutationFn: (to: 'claim' | 'release') =>
      to === 'claim' ? server().claimTask(input) : server().releaseTask(input),
    onSuccess: (changed) => queryClient.setQueryData(['tasks', taskId], changed),
    onError: () => queryClient.invalidateQueries({ queryKey: ['tasks'] }),
  });
  const mayRelease = claimedBy !== undefined && (claimedBy === me || principal?.role === 'operator');
  return (
    <>
      {claimedBy === undefined && me !== undefined && principal?.role !== 'viewer' && (
        <button type="button" disabled={change.isPending} onClick={() => change.mutate('claim')}>
          Claim
        </button>
      )}
      {claimedBy !== undefined && (
        <span className="dim">
          Claimed by {claimedBy === me ? 'you' : claimedBy}
          {claimedUntil !== undefined && (
            <>
              , ends <Ago time={claimedUntil} />
            </>
          )}
        </span>
      )}
      {mayRelease && (
        <button type="button" disabled={change.isPending} onClick={() => change.mutate('release')}>
          Release
        </button>
      )}
      {change.error && <Problem error={change.error} />}
    </>
  );
}
