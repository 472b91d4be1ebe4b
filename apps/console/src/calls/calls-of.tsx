import { useQuery } from '@tanstack/react-query';
import type { ListedLlmCall } from '#lib/client';
import { usePages } from '../data/pages.js';
import { server } from '../data/server.js';
import { CallsTable } from './calls-table.js';

/** The owner of calls and tasks. */
export type Owner =
  | { readonly sessionId: string }
  | { readonly runId: string }
  | { readonly conversationId: string };

/**
 * The calls of one session, run or conversation. Requests and replies are read with the call that is opened; the lists of a past time and of
 * a conversation come with them.
 */
export function CallsOf({ owner, at }: { readonly owner: Owner; readonly at: string | undefined }) {
  const list = usePages<ListedLlmCall>(['calls', owner, at], (page) => {
    const past = { ...page, ...(at !== undefined && { at }) };
    if ('conversationId' in owner) return server().listLlmCallsOfConversation({ ...owner, ...past });
    if (at === undefined) return server().listLlmCalls({ ...owner, ...page });
    if ('sessionId' in owner) return server().listLlmCallsOfSession({ ...owner, ...past });
    return server().listLlmCallsOfRun({ ...owner, ...past });
  });
  return <CallsTable list={list} />;
}

const MOST = 500;

/** The calls of a run in the order in which they were asked, without requests and replies. */
export function useCallsOfRun(runId: string): readonly ListedLlmCall[] {
  const { data } = useQuery({
    queryKey: ['calls', 'of', runId],
    queryFn: async () => (await server().listLlmCalls({ runId, limit: MOST })).items.toReversed(),
  });
  return data ?? [];
}
