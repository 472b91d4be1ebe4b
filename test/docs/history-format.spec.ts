import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { eventCatalogue } from '#lib/engine';
import { leafHash } from '#lib/event-store';
import { fileWith, opened } from '#lib/histories/testing';

const page = readFileSync(join(import.meta.dirname, '../../docs/history-format.md'), 'utf8');

function fence(name: string): string {
  const [, text] = new RegExp(`\`\`\`jsonl ${name}\n([^]*?)\`\`\``).exec(page) ?? [];
  if (text === undefined) throw new Error(`The page has no fence ${name}.`);
  return text;
}

describe('the format of history files', () => {
  it('has test vectors that the reader takes, and whose leaves are those on the page', async () => {
    const { head, log } = await opened(fence('vector'), eventCatalogue());
    const events = await log.store.readAll({ limit: 10 });
    const leaves = events.map(({ position: _, ...event }) => {
      const stream = log.streams.withoutPrefix(event.stream);
      return { stream, revision: event.revision, hash: leafHash({ ...event, stream }) };
    });
    expect(leaves).toEqual(
      fence('leaves')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as object),
    );
    expect(head.root).toEqual({ kind: 'session', id: '6f1c0b9e-6c0f-4f65-9d3c-0c7c2f0f7a11' });
    expect(await log.blobText(log.codec.blobsOf(events[0] ?? never())[0]?.sha256 ?? '')).toBe(
      JSON.stringify('Zażółć "gęślą" jaźń 👩'),
    );
    await log.store.close();
  });

  it('is one file for every byte: a vector that differs in any byte is refused', async () => {
    const bytes = Buffer.from(fence('vector'));
    const codec = eventCatalogue();
    const accepted: number[] = [];
    for (let at = 0; at < bytes.length; at += 7) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 0x01;
      const path = fileWith(changed);
      const { openHistory } = await import('#lib/histories');
      await openHistory(path, codec).then(
        ({ log }) => {
          accepted.push(at);
          return log.store.close();
        },
        (error: unknown) => {
          expect(error).toMatchObject({ name: 'HistoryBroken' });
        },
      );
    }
    expect(accepted).toEqual([]);
  });
});

function never(): never {
  throw new Error('There is an event.');
}
