import { parentPort, workerData } from 'node:worker_threads';
import { Database } from './database.mjs';

// Reads the whole file, which takes seconds for a large one: off the main thread, on a connection of its own.

const { file } = /** @type {{ readonly file: string }} */ (workerData);
const MOST_FINDINGS = 20;

const db = new Database(file, { readonly: true });
try {
  const rows = /** @type {{ quick_check: string }[]} */ (db.pragma(`quick_check(${MOST_FINDINGS})`));
  parentPort?.postMessage(
    rows.map(({ quick_check: finding }) => finding).filter((finding) => finding !== 'ok'),
  );
} catch (error) {
  // SQLite refuses to check a file whose header or schema is damaged.
  parentPort?.postMessage([error instanceof Error ? error.message : String(error)]);
} finally {
  db.close();
}
