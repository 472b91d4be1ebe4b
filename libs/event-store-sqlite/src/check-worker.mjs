import { parentPort, workerData } from 'node:worker_threads';
import { Database } from './database.mjs';
import { quickCheck } from './quick-check.mjs';

// Reads the whole file, which takes seconds for a large one: off the main thread, on a connection of its own.

const { file } = /** @type {{ readonly file: string }} */ (workerData);
const db = new Database(file, { readonly: true });
parentPort?.postMessage(quickCheck(db));
db.close();
