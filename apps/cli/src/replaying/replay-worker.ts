import { on } from 'node:events';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { type LogReplayReport, verifyLog } from '#lib/engine/core';
import { type EventLog, KeyMissing } from '#lib/event-store';
import type { WorkflowRegistry } from '#lib/workflow';
import { settingsFor, withLog } from '../engine/with-log.js';
import { failureOf } from '../error-output.js';
import { importOptions } from '../input/imported-options.js';
import { batchesOf } from './batches-of.js';
import type { Answered, FromReplayThread, ReplaySource, ToReplayThread } from './replay-messages.js';

// The main module of a thread: it reads the log by its own connection, and loads the functions of the application itself.

/** Never returns: the thread is ended from outside. */
async function answer(port: MessagePort, log: EventLog, workflows: WorkflowRegistry): Promise<void> {
  let batches = batchesOf<LogReplayReport>([]);
  for await (const [asked] of on(port, 'message') as AsyncIterable<[ToReplayThread]>) {
    if (asked !== 'next') batches = batchesOf(verifyLog(log, workflows, asked));
    port.postMessage((await nextOf(batches)) satisfies FromReplayThread);
  }
}

async function nextOf(batches: ReturnType<typeof batchesOf<LogReplayReport>>): Promise<Answered> {
  try {
    return await batches.next();
  } catch (error) {
    if (!(error instanceof KeyMissing)) throw error;
    return { done: true, value: [], missing: await failureOf(error) };
  }
}

if (parentPort) {
  const port = parentPort;
  try {
    const { dataDir, import: module } = workerData as ReplaySource;
    await importOptions(module);
    const settings = settingsFor(dataDir);
    await withLog(settings, (log) => answer(port, log, settings.workflows));
  } catch (error) {
    port.postMessage({ failure: await failureOf(error) } satisfies FromReplayThread);
  }
}
