import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { toolCall } from '#lib/activities/testing';
import { door } from '../support/door.js';
import { RedialServer } from '../support/redial-server.js';

describe('the stream reads of a proposal that a model makes, asked for with a key over HTTP', () => {
  let server: RedialServer;
  let sessionId: string;

  beforeEach(async () => {
    server = await RedialServer.start({ script: [toolCall('push', {})] });
    await server.post('/v1/machines', door);
    ({ sessionId } = (await server.post('/v1/sessions', { machineName: 'door' })).body as {
      sessionId: string;
    });
    await server.get(`/v1/sessions/${sessionId}/consensus`);
  });
  afterEach(() => server.stop());

  it('go with two durable appends: the request before the call, the outcome with all that follows from it', async () => {
    const one = jest.spyOn(server.log.store, 'append');
    const inOrder = jest.spyOn(server.log.store, 'appendInOrder');
    const path = `/v1/sessions/${sessionId}/proposals`;
    const answer = await server.post(path, { specialistId: 'doorman' }, { 'Idempotency-Key': 'knock' });
    const flushes = [...inOrder.mock.calls].map(([appends]) =>
      appends.map(({ stream, events }) => [
        server.log.streams.parse(stream)?.category,
        ...events.map(({ type }) => type),
      ]),
    );
    one.mockRestore();
    inOrder.mockRestore();
    expect(answer.status).toBe(201);
    expect(flushes).toEqual([
      [
        ['session', 'ProposalSolicited'],
        ['solicitation', 'WorkflowStarted', 'LlmCallRequested'],
      ],
      [
        ['solicitation', 'LlmCallCompleted', 'WorkflowEnded'],
        ['session', 'ProposalSubmitted'],
      ],
    ]);
    expect(one).not.toHaveBeenCalled();
  });

  it('are at most four, and none from the start of a session that is in memory', async () => {
    const reads = jest.spyOn(server.log.store, 'readStream');
    const path = `/v1/sessions/${sessionId}/proposals`;
    const answer = await server.post(path, { specialistId: 'doorman' }, { 'Idempotency-Key': 'knock' });
    const made = [...reads.mock.calls];
    reads.mockRestore();
    expect(answer.status).toBe(201);
    const read = made.map(([stream]) => server.log.streams.parse(stream)?.category);
    expect(read).toEqual(['call', 'session', 'specialist']);
    const session = server.log.streams.of('session', sessionId);
    const whole = made.filter(([stream, options]) => stream === session && !options?.from);
    expect(whole).toEqual([]);
  });
});
