import { expect, it } from '@jest/globals';
import { Redial } from '#lib/engine';
import { idInStream } from '#lib/event-store';
import { plainWorkflow } from '#lib/workflow/testing';
import { RedialServer } from '../support/redial-server.js';
import { untilEvent } from '../support/until-event.js';

const pausing = plainWorkflow(() => [{ do: 'timer', id: 'pause', afterMs: 3_600_000 }], 'pausing');

it('callers that wait for a run get it as it is at a stop, which does not last as long as they would wait', async () => {
  const server = await RedialServer.start({ options: { workflows: [pausing] } });
  const redial = server.app.get(Redial);
  const started = server.post('/v1/runs', { workflow: 'pausing', input: {}, waitMs: 60_000 });
  const { stream } = await untilEvent(server.log, ({ type }) => type === 'TimerStarted');
  const runId = idInStream(stream);
  const asked = redial.getRun({ runId, waitMs: 60_000 });
  await server.stop();
  expect(await started).toMatchObject({ status: 201, body: { runId, status: 'running' } });
  expect(await asked).toMatchObject({ runId, status: 'running' });
});
