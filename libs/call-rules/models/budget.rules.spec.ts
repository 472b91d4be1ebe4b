import { describe, expect, it } from '@jest/globals';
import type { Budget } from './budget.rules.js';
import type { ModelParameters } from '../model-parameters.js';
import type { ModelRoute } from './model-route.js';
import { asking, replied, unanswered } from './testing/asking.js';
import { sampleRoute } from './testing/sample-route.js';

const whose = { machineName: 'refunds', specialistId: 'clerk', sessionId: 'session' };
const price = { version: 'v1', inputPerMillion: 1_000_000, outputPerMillion: 2_000_000 };
const route = (over: Partial<ModelRoute> = {}) => sampleRoute('main', { price, maxAttempts: 2, ...over });
/** The body has 45 characters with a limit of 10 tokens, and 29 without: 12 and 8 tokens of input. */
const limited: ModelParameters = { maxTokens: 10 };
const ask = (budget: Budget, parameters: ModelParameters = limited, routes = [route()]) =>
  asking({ routes, budget: { ...whose, ...budget } }, {}, parameters);
const spent = (tokens: number, costUSD = 0) => ({ completed: { spent: { tokens, costUSD }, max: {} } });

describe('a budget', () => {
  it('is checked before each request, with the most that the call may use', () => {
    const history = ask({ maxTokens: 100, per: 'session' });
    expect(history.recorded).toEqual([
      {
        type: 'BudgetCheckRequested',
        data: {
          stepId: 'ask-budget#1',
          ...whose,
          per: 'session',
          max: { maxTokens: 100 },
          estimate: { tokens: 22, costUSD: 32 },
        },
      },
    ]);
    history.answer('ask-budget#1', spent(50)).answer('ask#1', replied(503)).fire('ask-retry#2');
    history.answer('ask-budget#2', spent(60)).answer('ask#2', replied(200));
    expect(history.end).toMatchObject({ status: 'completed' });
  });

  it.each([
    [{ maxTokens: 100 }, spent(78), true],
    [{ maxTokens: 100 }, spent(79), false],
    [{ maxTokens: 22 }, spent(0), true],
    [{ maxTokens: 21 }, spent(0), false],
    [{ maxUSD: 40 }, spent(999, 8), true],
    [{ maxUSD: 40 }, spent(999, 8.5), false],
    [{ maxTokens: 999, maxUSD: 40 }, spent(0, 40), false],
  ])('%j lets the call be made after %j: %s', (max, before, isMade) => {
    const history = ask({ ...max, per: 'day' }).answer('ask-budget#1', before);
    expect(history.open.has('ask#1')).toBe(isMade);
    expect(history.end?.failure?.kind).toBe(isMade ? undefined : 'budget');
  });

  it('that is spent lets no call be made, however short, and says how much that is', () => {
    const history = ask({ maxTokens: 5, per: 'session' }, {}).answer('ask-budget#1', spent(5));
    expect(history.end?.failure?.message).toBe('The budget of clerk per session is 5 tokens: 5 are spent.');
  });

  it('is checked again after an interruption; when its spending cannot be read, the call is not made', () => {
    const history = ask({ maxTokens: 100, per: 'day' }).answer('ask-budget#1', unanswered('interrupted'));
    history.answer('ask-budget#2', unanswered('behind'));
    expect(history.end).toMatchObject({ failure: { kind: 'budget' } });
    expect(history.recorded.filter(({ type }) => type === 'LlmCallRequested')).toEqual([]);
  });

  it('holds for a backup too', () => {
    const history = ask({ maxTokens: 100, per: 'day' }, limited, [route({ maxAttempts: 1 }), route()]);
    history.answer('ask-budget#1', spent(0)).answer('ask#1', replied(504));
    expect([...history.open.keys()]).toEqual(['ask-budget#2']);
  });
});
