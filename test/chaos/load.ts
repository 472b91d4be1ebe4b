import { randomUUID } from 'node:crypto';

/** The answers that a server acknowledged, and must not lose. */
export interface Acknowledged {
  /** Transitions executed, by session. */
  readonly sessions: Map<string, number>;
  readonly proposals: Map<string, { readonly sessionId: string; readonly transitionName: string }>;
  readonly positions: string[];
}

export const machine = {
  machineName: 'ticket',
  initialState: 'new',
  goalState: 'closed',
  specialists: [
    {
      role: 'proposer',
      specialistId: 'model',
      contextTemplate: 'Ticket {{metaJson.n}}',
      modelId: 'gpt-4o-mini',
    },
    { role: 'proposer', specialistId: 'rule', strategyFnName: 'firstAvailable' },
  ],
  states: {
    new: { transitions: { answer: { target: 'answered', description: 'Answer it' }, drop: 'closed' } },
    answered: { transitions: { close: 'closed', reopen: 'new' } },
    closed: {},
  },
};

/** One worker: sessions from start to end, over HTTP, until the server is gone. Counts only what was answered. */
export async function work(url: string, acknowledged: Acknowledged, onAnswer: () => void): Promise<void> {
  try {
    for (;;) await oneSession(url, acknowledged, onAnswer);
  } catch (error) {
    // `fetch failed`: the server was killed. By name, because jest's TypeError is not the one of fetch.
    if ((error as Error).name !== 'TypeError') throw error;
  }
}

async function oneSession(url: string, acknowledged: Acknowledged, onAnswer: () => void): Promise<void> {
  const post = async (path: string, body: object) => {
    const headers = { 'content-type': 'application/json', 'idempotency-key': randomUUID() };
    const response = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    const answer = (await response.json()) as Record<string, string>;
    if (!response.ok) throw new Error(`${path}: ${response.status} ${JSON.stringify(answer)}`);
    acknowledged.positions.push(response.headers.get('redial-position') ?? '');
    onAnswer();
    return answer;
  };
  const { sessionId = '' } = await post('/v1/sessions', {
    machineName: 'ticket',
    metaJson: { n: acknowledged.sessions.size },
  });
  acknowledged.sessions.set(sessionId, 0);
  for (const specialistId of ['model', 'rule']) {
    const {
      proposalId = '',
      transitionName = '',
      toState = '',
    } = await post(`/v1/sessions/${sessionId}/proposals`, { specialistId });
    acknowledged.proposals.set(proposalId, { sessionId, transitionName });
    await post(`/v1/sessions/${sessionId}/transitions`, { transitionName, toState });
    acknowledged.sessions.set(sessionId, (acknowledged.sessions.get(sessionId) ?? 0) + 1);
  }
}
