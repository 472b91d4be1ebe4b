import { describe, expect, it } from '@jest/globals';
import { buildToolsFromTransitions } from './build-tools.js';

const parameters = { type: 'object', properties: { amount: { type: 'number' } }, required: ['amount'] };

describe('buildToolsFromTransitions', () => {
  it('case 7, D-27: makes a tool of the OpenAI shape of an enriched transition', () => {
    const transitions = { refund: { target: 'refunded', description: 'Pay back', parameters } };
    expect(buildToolsFromTransitions(transitions)).toEqual([
      { type: 'function', function: { name: 'refund', description: 'Pay back', parameters } },
    ]);
  });

  it('case 8, D-27: gives null when all transitions are plain', () => {
    expect(buildToolsFromTransitions({ a: 'x', b: { target: 'y' } })).toBeNull();
    expect(buildToolsFromTransitions({})).toBeNull();
  });

  it('case 9, D-27: makes tools of the enriched transitions only, in their order', () => {
    const tools = buildToolsFromTransitions({
      later: { target: 'x', description: 'Later' },
      plain: 'y',
      bare: { target: 'z' },
      earlier: { target: 'x', parameters },
    });
    expect(tools?.map((tool) => tool.function.name)).toEqual(['later', 'earlier']);
  });

  it('case 10, D-27: describes a transition that has parameters only by its name', () => {
    const [tool] = buildToolsFromTransitions({ refund: { target: 'x', parameters } }) ?? [];
    expect(tool?.function).toEqual({ name: 'refund', description: 'refund', parameters });
  });

  it('D-27: takes an object without properties for the parameters of a transition that has none', () => {
    const [tool] = buildToolsFromTransitions({ escalate: { target: 'x', description: 'Ask' } }) ?? [];
    expect(tool?.function.parameters).toEqual({ type: 'object', properties: {} });
  });

  it('keeps an empty description: it was given', () => {
    const [tool] = buildToolsFromTransitions({ escalate: { target: 'x', description: '' } }) ?? [];
    expect(tool?.function.description).toBe('');
  });

  it('X-D5: names a tool so that providers take it, and wraps parameters that take no object', () => {
    const parameters = { type: 'array', items: { $ref: '#/$defs/n' }, $defs: { n: { type: 'number' } } };
    const [tool] = buildToolsFromTransitions({ 'pay all': { target: 'x', parameters } }) ?? [];
    expect(tool?.function).toEqual({
      name: expect.stringMatching(/^pay_all_[0-9a-f]{8}$/),
      description: 'pay all',
      parameters: {
        type: 'object',
        properties: { value: { type: 'array', items: { $ref: '#/$defs/n' } } },
        required: ['value'],
        additionalProperties: false,
        $defs: { n: { type: 'number' } },
      },
    });
  });
});
