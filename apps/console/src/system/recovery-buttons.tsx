import { useMutation } from '@tanstack/react-query';
import { useMay } from '../data/principal.js';
import { queryClient } from '../data/query-client.js';
import { server } from '../data/server.js';
import { Problem } from '../parts/notice.js';

/** The way on for a run that recovery set aside, for operators. */
export function RecoveryButtons({ stream }: { readonly stream: string }) {
  const mayRetry = useMay('operator');
  const retry = useMutation({
    mutationFn: () => server().retryRecovery({ stream }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['recovery'] }),
  });
  if (!mayRetry) return <>set aside</>;
  return (
    <>
      <button type="button" disabled={retry.isPending} onClick={() => retry.mutate()}>
        Retry
      </button>
      {retry.error && <Problem error={retry.error} />}
    </>
  );
}
