import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { ERASED, type KeySource, type StreamHistory } from '#lib/event-store';
import { call, count, plainWorkflow } from './testing/plain-workflow.js';
import { echoActivity } from './testing/echo.activity.js';
import { LEDGER } from './testing/ledger.js';
import { RuntimeSetting, SWEEP_MS } from './testing/runtime-setting.js';
import type { Workflow } from './workflow.js';

/** A run that waits for a signal after its call. */
const waiting = plainWorkflow((events) => {
  if (count(events, 'EchoCompleted') === 0) return [call('a')];
  return [{ do: 'await', id: 'b', signal: 'go' }];
}, 'waiting');

const rules = {
  ...waiting.versions[1],
  contextOf: ({ events }: StreamHistory) => events.map(({ data }) => data),
};
const using = { ...waiting, name: 'using', versions: { 1: rules } } as Workflow;

describe('a run about a subject that is erased before the run was given up', () => {
  it.each(['waiting', 'using'])('is set aside as that, and not as damaged: %s', async (workflow) => {
    let key: Awaited<ReturnType<KeySource['find']>> = randomBytes(32);
    const setting = new RuntimeSetting([waiting, using], [echoActivity()]);
    const openLog = () => {
      const log = setting.logOf();
      log.keys.use({ find: async () => key }, true);
      return log;
    };
    const log = openLog();
    const stream = log.streams.withPrefix(LEDGER);
    const about = { ...setting.metadata(), keyId: 'ann' };
    const event = { type: 'RunAsked', data: { text: 'of ann' } };
    await log.append(stream, 'no-stream', [{ eventId: setting.nextRunId(), event, metadata: about }]);

    const first = setting.process({ log });
    const runId = setting.nextRunId();
    const context = workflow === 'using' && { context: { stream, revision: 0 } };
    await first.startRun({ workflow, input: { text: 'of ann' }, runId, metadata: about, ...context });
    await setting.time.pass(0);
    expect(first.setAside).toEqual([]);
    await first.stop(0);

    key = ERASED;
    const second = setting.process({ log: openLog() });
    await second.retry(log.streams.of(workflow, runId));
    await setting.time.pass(SWEEP_MS);
    expect(second.setAside).toMatchObject([
      {
        failure: `[ErasedRun] run ${log.streams.of(workflow, runId)}: its subject was erased. Do nothing: the erasure ends the run.`,
      },
    ]);
    await second.stop(0);
  });
});
