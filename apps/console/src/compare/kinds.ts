import { isUnknown, server } from '../data/server.js';
import { labelText } from '../parts/labels.js';
import { statusWords } from '../parts/status.js';
import { subjectOf } from '../sessions/subject.js';

export type Kind = 'session' | 'run' | 'conversation';

/** The kind of an object with an id, and its machine, workflow or agent. */
export interface Known {
  readonly kind: Kind;
  readonly group: string;
}

/** An object to compare with. */
interface Offer {
  readonly id: string;
  readonly status: string;
  readonly about: string;
}

interface Reads {
  readonly groupOf: (id: string) => Promise<string>;
  readonly latest: (limit: number, group?: string) => Promise<readonly Offer[]>;
}

const READS: { readonly [kind in Kind]: Reads } = {
  session: {
    groupOf: async (sessionId) => (await server().getSession({ sessionId, history: 'none' })).machineName,
    latest: async (limit, machineName) => {
      const { items } = await server().listSessions({
        limit,
        history: 'none',
        ...(machineName && { machineName }),
      });
      return items.map(({ sessionId: id, currentState, metaJson }) => ({
        id,
        status: currentState,
        about: subjectOf(metaJson),
      }));
    },
  },
  run: {
    groupOf: async (runId) => (await server().getRun({ runId })).workflow,
    latest: async (limit, workflow) => {
      const { items } = await server().listRuns({ limit, ...(workflow && { workflow }) });
      return items.map((run) => ({ id: run.runId, status: statusWords(run.status), about: labelText(run) }));
    },
  },
  conversation: {
    groupOf: async (conversationId) => (await server().getConversation({ conversationId })).agentName,
    latest: async (limit, agentName) => {
      const { items } = await server().listConversations({ limit, ...(agentName && { agentName }) });
      return items.map((one) => ({
        id: one.conversationId,
        status: statusWords(one.status),
        about: labelText(one),
      }));
    },
  },
};

/** The latest of a kind; of one machine, workflow or agent if it is named. */
export function latestOf(kind: Kind, limit: number, group?: string): Promise<readonly Offer[]> {
  return READS[kind].latest(limit, group);
}

/** @throws the server's refusal, if no object has this id */
export async function known(id: string): Promise<Known> {
  const as = async (kind: Kind): Promise<Known> => ({ kind, group: await READS[kind].groupOf(id) });
  const or = (kind: Kind) => (error: unknown) => {
    if (isUnknown(error)) return as(kind);
    throw error;
  };
  return as('session').catch(or('run')).catch(or('conversation'));
}
