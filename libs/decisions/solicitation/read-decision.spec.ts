import { describe, expect, it } from '@jest/globals';
import { readDecision } from './read-decision.js';

describe('readDecision', () => {
  it('gives name, target and reasoning, and nothing that does not belong there', () => {
    const text = '{"toState":"b","extra":1,"transitionName":"a"}';
    expect(readDecision(text)).toEqual({ transitionName: 'a', toState: 'b', reasoning: '' });
  });

  it('tells what is not JSON from JSON that is not a decision', () => {
    expect(readDecision('a')).toEqual({ unreadable: 'not-json' });
    expect(readDecision('{"transitionName":"a"}')).toEqual({ unreadable: 'not-a-decision' });
    expect(readDecision('[]')).toEqual({ unreadable: 'not-a-decision' });
  });

  it('X-D10: takes reasoning and metaJson that are null for absent', () => {
    const text = '{"transitionName":"a","toState":"b","reasoning":null,"metaJson":null}';
    expect(readDecision(text)).toEqual({ transitionName: 'a', toState: 'b', reasoning: '' });
  });

  it('X-D10: reads a decision behind a byte order mark', () => {
    expect(readDecision('\ufeff{"transitionName":"a","toState":"b"}')).toHaveProperty('toState', 'b');
  });

  it('takes off one fence, not two', () => {
    const decision = '{"transitionName":"a","toState":"b"}';
    expect(readDecision(`\`\`\`\n${decision}\n\`\`\``)).toMatchObject({ transitionName: 'a' });
    expect(readDecision(`\`\`\`\n\`\`\`\n${decision}\n\`\`\`\n\`\`\``)).toEqual({ unreadable: 'not-json' });
  });

  it('does not take a name from what every object inherits', () => {
    expect(readDecision('{"__proto__":{"transitionName":"a","toState":"b"}}')).toEqual({
      unreadable: 'not-a-decision',
    });
  });

  it.each(['`', '~', '```\n', '{', '[', ' '])('ends soon for a model that repeats %j without end', (part) => {
    expect(readDecision(part.repeat(200_000))).toHaveProperty('unreadable');
    expect(readDecision(`${part.repeat(200_000)}x`)).toEqual({ unreadable: 'not-json' });
  });
});
