import { useQuery } from '@tanstack/react-query';
import { AS_ASKED } from '../data/query-client.js';
import { server } from '../data/server.js';
import { subjectOf } from './subject.js';

/** The subject of a session, for rows that have its id alone: those near the window ask for theirs. */
export function AboutSession({ sessionId }: { readonly sessionId: string }) {
  const { data } = useQuery({
    queryKey: ['sessions', sessionId, 'about'],
    queryFn: () => server().getSession({ sessionId, history: 'none' }),
    ...AS_ASKED,
  });
  return <span className="cut-two dim">{subjectOf(data?.metaJson)}</span>;
}
