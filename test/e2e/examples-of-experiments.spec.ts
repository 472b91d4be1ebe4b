import { expect, it } from '@jest/globals';
import { text } from '#lib/activities/testing';
import { RedialServer } from '../support/redial-server.js';
import { untilEvent } from '../support/until-event.js';

const machine = {
  machineName: 'walk',
  initialState: 'crossing',
  goalState: 'home',
  states: { crossing: { transitions: { left: 'crossing', right: 'crossing', home: 'home' } }, home: {} },
  specialists: [
    {
      role: 'proposer',
      specialistId: 'guide',
      modelId: 'gpt-4o-mini[tools=no]',
      contextTemplate: 'Where to?{{#exemplars}} Not long ago {{transitionName}}.{{/exemplars}}',
    },
    { role: 'proposer', specialistId: 'walker', isHuman: true },
  ],
};

it('an experiment is given the earlier decisions of the session itself, too, as its rounds were', async () => {
  const script = () => text({ transitionName: 'home', toState: 'home', reasoning: 'It is late.' });
  const server = await RedialServer.start({ script });
  const post = async (path: string, body: object, headers: Record<string, string> = {}) => {
    const answer = await server.post(`/v1/${path}`, body, headers);
    expect([path, answer.status < 300 || answer.body]).toEqual([path, true]);
    return answer.body as { readonly [member: string]: unknown };
  };
  const { actorTokens } = await post('machines', machine);
  const walker = { 'redial-actor-token': (actorTokens as { walker: string }).walker };
  const sessionId = (await post('sessions', { machineName: 'walk' }))['sessionId'] as string;
  for (const transitionName of ['left', 'right', 'left']) {
    await post(`sessions/${sessionId}/proposals`, { specialistId: 'guide' });
    await post(`sessions/${sessionId}/arbitrations`, { specialistId: 'walker', transitionName }, walker);
  }
  const asked = () => server.llm.requests.map(({ text: body }) => body);
  const then = asked();
  expect(then[2]).toContain('Where to? Not long ago right. Not long ago left.');
  const variants = [{ name: 'same', specialistId: 'guide' }];
  const started = await post('experiments', { points: { sessionIds: [sessionId] }, variants });
  await untilEvent(
    server.log,
    ({ stream, type }) =>
      stream.endsWith(`experiment-${String(started['experimentId'])}`) && type === 'ExperimentBatchEnded',
  );
  expect(asked().slice(3).toSorted()).toEqual(then.toSorted());
  await server.stop();
});
