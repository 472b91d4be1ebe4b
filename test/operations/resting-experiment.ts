import type { RedialServer } from '../support/redial-server.js';
import { untilEvent } from '../support/until-event.js';

/** Of a specialist that is a function. */
export const experiment = {
  points: { machineName: 'gift' },
  variants: [{ name: 'other', specialistId: 'other' }],
  samples: 2,
};

/** An experiment once its first batch has ended. */
export async function restingExperiment(server: RedialServer, body: object): Promise<string> {
  const started = await server.post('/v1/experiments', body);
  const { experimentId } = started.body as { experimentId: string };
  await untilEvent(
    server.log,
    ({ stream, type }) => stream.endsWith(experimentId) && type === 'ExperimentBatchEnded',
  );
  return experimentId;
}
