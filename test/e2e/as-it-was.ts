import { expect } from '@jest/globals';
import type { TestEngine } from '../support/engine.js';

/** The subject of a snapshot. */
export type Looked =
  | { readonly sessionId: string }
  | { readonly runId: string }
  | { readonly conversationId: string };

const all = { limit: 500 };

/** Snapshots of sessions, runs and conversations while they are made, to be compared with what `at` answers later. */
export class Snapshots {
  readonly #taken: { readonly looked: Looked; readonly at: string; readonly seen: object }[] = [];

  constructor(private readonly engine: Pick<TestEngine, 'redial' | 'log'>) {}

  get count(): number {
    return this.#taken.length;
  }

  /** Looks again if a run went on meanwhile. */
  async take(looked: Looked): Promise<void> {
    const { store } = this.engine.log;
    for (let before = await store.head(); ;) {
      const seen = await this.#look(looked, {});
      const after = await store.head();
      if (after === before) {
        this.#taken.push({ looked, at: `position:${after ?? ''}`, seen });
        return;
      }
      before = after;
    }
  }

  /** Each as it was taken. */
  async check(): Promise<void> {
    for (const { looked, at, seen } of this.#taken) expect(await this.#look(looked, { at })).toEqual(seen);
  }

  async #look(looked: Looked, moment: { at?: string }): Promise<object> {
    const { redial } = this.engine;
    const page = { ...looked, ...moment, ...all };
    if ('sessionId' in looked) {
      const { sessionId } = looked;
      return {
        session: await redial.getSession({ sessionId, ...moment }),
        proposals: await redial.listProposals({ ...page, sessionId }),
        consensus: await refusedOr(redial.evaluateConsensus({ sessionId, ...moment })),
        events: await redial.listSessionEvents({ ...page, sessionId }),
        llmCalls: await redial.listLlmCallsOfSession({ ...page, sessionId }),
        webhookCalls: await redial.listWebhookCallsOfSession({ ...page, sessionId }),
      };
    }
    if ('runId' in looked) {
      const { runId } = looked;
      return {
        run: await redial.getRun({ runId, ...moment }),
        events: await redial.listRunEvents({ ...page, runId }),
        toolCalls: await redial.listToolCalls({ ...page, runId }),
        llmCalls: await redial.listLlmCallsOfRun({ ...page, runId }),
        iterations: await refusedOr(redial.listIterations({ ...page, runId })),
        transcript: await refusedOr(redial.getTranscript({ ...page, runId })),
      };
    }
    const { conversationId } = looked;
    return {
      conversation: await redial.getConversation({ conversationId, ...moment }),
      turns: await redial.listTurns({ ...page, conversationId }),
      events: await redial.listConversationEvents({ ...page, conversationId }),
      llmCalls: await redial.listLlmCallsOfConversation({ ...page, conversationId }),
      toolCalls: await redial.listToolCallsOfConversation({ ...page, conversationId }),
    };
  }
}

/** The answer, or the code of the refusal. */
function refusedOr<Found>(found: Promise<Found>): Promise<Found | string> {
  return found.catch((error: unknown) =>
    String((error as { rejection?: { code: string } }).rejection?.code ?? error),
  );
}
