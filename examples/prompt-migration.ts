// A migration of a prompt: the decisions with the old prompt are kept as histories, and the new prompt is compared with them.
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Redial } from 'redial-engine';

// #region machine
export const triage = {
  machineName: 'triage',
  initialState: 'arrived',
  goalState: 'sorted',
  specialists: [
    {
      role: 'proposer',
      specialistId: 'sorter',
      modelId: 'gpt-4o-mini',
      contextTemplate: '{{metaJson.text}}',
    },
  ],
  states: {
    arrived: {
      prompt: 'Is this mail about an order, or about an invoice?',
      transitions: { order: 'sorted', invoice: 'sorted' },
    },
    sorted: {},
  },
} as const;

/** The same decision, with another prompt. */
export const triageWithNewPrompt = {
  ...triage,
  states: {
    ...triage.states,
    arrived: { ...triage.states.arrived, prompt: 'Sort the mail. A mail about money is about an invoice.' },
  },
} as const;
// #endregion

// #region corpus
/** Decides each mail and writes its history. `redial regress <folder> --machine <file>` compares these files. */
export async function record(redial: Redial, mails: readonly string[], folder: string): Promise<void> {
  for (const text of mails) {
    const { sessionId } = await redial.createSession({ machineName: 'triage', metaJson: { text } });
    await redial.runSession({ sessionId });
    const lines = await redial.getSessionHistory({ sessionId });
    await pipeline(lines, createWriteStream(join(folder, `${sessionId}.jsonl`)));
  }
}
// #endregion
