import { describe, expect, it, jest } from '@jest/globals';
import { plainWorkflow } from './testing/plain-workflow.js';
import { RuntimeSetting } from './testing/runtime-setting.js';

const NAMES = ['one', 'two', 'three'];

function given() {
  const setting = new RuntimeSetting(
    NAMES.map((name) => plainWorkflow(() => [{ do: 'await', id: 'go', signal: 'go' }], name)),
    [],
  );
  const { commands } = setting;
  const reads = jest.spyOn(setting.memory, 'readStream');
  const streamOf = async (runId: string) => {
    reads.mockClear();
    const stream = await commands.streamOf(runId);
    return { stream, reads: reads.mock.calls.length };
  };
  return { setting, streamOf };
}

describe('the stream of a run', () => {
  it('is looked for among those of all workflows once', async () => {
    const { setting, streamOf } = given();
    const runId = await setting.begin(setting.process(), 'two');
    const stream = setting.logOf().streams.of('two', runId);
    expect(await streamOf(runId)).toEqual({ stream, reads: NAMES.length });
    expect(await streamOf(runId)).toEqual({ stream, reads: 0 });
  });

  it('is looked for again as long as there is none', async () => {
    const { setting, streamOf } = given();
    const runId = setting.nextRunId();
    expect(await streamOf(runId)).toEqual({ stream: undefined, reads: NAMES.length });
    const metadata = setting.metadata();
    await setting.process().startRun({ workflow: 'three', input: {}, runId, metadata });
    expect((await streamOf(runId)).stream).toBe(setting.logOf().streams.of('three', runId));
  });
});
