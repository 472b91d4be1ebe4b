// A process of its own that appends to the log in the file named by its argument until it is killed or an append fails.
// Prints a line for each fact, once it is one: `open <logId>`, `ack <eventId> <position>`, `failed <message>`.
import { randomUUID } from 'node:crypto';
import { writeSync } from 'node:fs';
import { SqliteEventStore } from '#lib/event-store-sqlite';

const WRITERS = 8;
const data = JSON.stringify({ text: 'x'.repeat(2000) });
const clock = new Int32Array(new SharedArrayBuffer(4));

const store = await SqliteEventStore.open(process.argv[2] ?? '');
say(`open ${store.logId}`);
try {
  await Promise.all(Array.from({ length: WRITERS }, (_, n) => writeForEver(n)));
} catch (error) {
  say(`failed ${error instanceof Error ? error.message : String(error)}`);
  await store.close();
}

/** @param {number} n */
async function writeForEver(n) {
  const stream = n === 0 ? 'shared' : `${process.pid}-${n}`;
  for (;;) {
    const events = [1, 2].map(() => ({ eventId: randomUUID(), type: 'ThingHappened', data, metadata: '{}' }));
    const { position } = await store.append(stream, 'any', events);
    say(`ack ${events[1]?.eventId} ${position}`);
  }
}

/**
 * Waits for a slow reader: a thread that appends has made the output one that does not block.
 * @param {string} line
 */
function say(line) {
  for (let rest = Buffer.from(`${line}\n`); rest.length > 0;) {
    try {
      rest = rest.subarray(writeSync(1, rest));
    } catch (error) {
      if (/** @type {{ code?: string }} */ (error).code !== 'EAGAIN') throw error;
      Atomics.wait(clock, 0, 0, 1);
    }
  }
}
