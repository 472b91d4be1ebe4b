import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { EngineSettings, eventCatalogue } from '#lib/engine';
import { openHistory, regress, Today, verifyHistory } from '#lib/histories';
import { bodyOf, fileWith, historyFile, resummed } from '#lib/histories/testing';
import { runHistories, sessionHistories } from './golden-histories.js';
import { type HistoryEvent, logOf } from './history.js';
import { tamperings } from './tampering.js';

const { workflows } = new EngineSettings({});
const codec = eventCatalogue();
const sessions = sessionHistories.all().map(({ history }) => history);

async function fileOf(events: readonly HistoryEvent[], id: string): Promise<string> {
  return historyFile(await logOf(events), id, workflows);
}

/** Whether a file is taken, and found identical. */
async function isAccepted(file: string): Promise<boolean> {
  const opened = await openHistory(file, codec).catch((error: Error) => {
    if (error.name !== 'HistoryBroken') throw error;
    return undefined;
  });
  if (!opened) return false;
  try {
    return (await verifyHistory(opened, workflows)).identical;
  } finally {
    await opened.log.store.close();
  }
}

describe('a history file that was changed', () => {
  it('at any byte is never taken: 1,000 random places of all golden histories', async () => {
    const files: Buffer[] = [];
    for (const { sessionId, events } of sessions) files.push(Buffer.from(await fileOf(events, sessionId)));
    for (const { history } of runHistories.all()) {
      const { subject, events } = history;
      const id = 'runId' in subject ? subject.runId : subject.conversationId;
      files.push(Buffer.from(await fileOf(events, id)));
    }
    let refused = 0;
    const change = fc.tuple(fc.constantFrom(...files), fc.nat(), fc.integer({ min: 1, max: 255 }));
    const property = fc.asyncProperty(change, async ([file, place, bits]) => {
      const changed = Buffer.from(file);
      const at = place % changed.length;
      changed[at] = (changed[at] ?? 0) ^ bits;
      expect(await isAccepted(fileWith(changed))).toBe(false);
      refused += 1;
    });
    await fc.assert(property, { numRuns: 1_000 });
    expect(refused).toBe(1_000);
  });

  it('in a derived event, with a sum that fits, is never found identical: it diverges, and a regression says so', async () => {
    const property = fc.asyncProperty(
      fc
        .constantFrom(...sessions.filter(({ evaluationId }) => evaluationId === undefined))
        .chain((history) => tamperings(history).map(({ event, changed }) => ({ history, event, changed }))),
      async ({ history, event, changed }) => {
        const lines = bodyOf(await fileOf(history.events, history.sessionId));
        const dataOf = (one: HistoryEvent) => `"data":${one.data},"metadata"`;
        const at = lines.findIndex((line) => line.includes(event.eventId) && line.includes(dataOf(event)));
        const file = fileWith(
          resummed(lines.with(at, lines[at]?.replace(dataOf(event), () => dataOf(changed)) ?? '')),
        );
        expect(await isAccepted(file)).toBe(false);
        const { exitCode } = await regress([file], new Today({ workflows }), { codec, engine: workflows });
        expect([12, 13]).toContain(exitCode);
      },
    );
    await fc.assert(property, { numRuns: 300 });
  });
});
