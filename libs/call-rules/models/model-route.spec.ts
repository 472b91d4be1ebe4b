import { describe, expect, it } from '@jest/globals';
import { InvalidModelId, parseModelId, splitModelId } from './model-route.js';

describe('parseModelId', () => {
  it('case 38: takes a plain id unchanged, with tools', () => {
    expect(parseModelId('gpt-4o-mini')).toEqual({ modelId: 'gpt-4o-mini', useTools: true });
  });

  it('case 39, D-26: [tools=no] turns tools off, and is stripped', () => {
    expect(parseModelId('gpt-4o-mini[tools=no]')).toEqual({ modelId: 'gpt-4o-mini', useTools: false });
  });

  it('case 40, D-26: [streaming=yes] leaves tools on, and is stripped', () => {
    expect(parseModelId('gpt-4o-mini[streaming=yes]')).toEqual({ modelId: 'gpt-4o-mini', useTools: true });
  });

  it.each(['tools=yes', 'tools=none', 'tools=NO', 'mytools=no', 'x-tools=no', 'tools='])(
    'only tools=no turns tools off, not [%s]',
    (flag) => {
      expect(parseModelId(`m[${flag}]`)).toEqual({ modelId: 'm', useTools: true });
    },
  );

  it('reads several flags, with white space around them', () => {
    expect(parseModelId('m[streaming=yes, tools = no ]').useTools).toBe(false);
    expect(splitModelId('m[a=1, b = 2 ,constructor=x]').flags).toEqual({ a: '1', b: '2', constructor: 'x' });
  });

  it('keeps everything else that names of models hold', () => {
    const name = 'meta-llama/llama-3.1:free@2026_01';
    expect(parseModelId(`${name}[tools=no]`)).toEqual({ modelId: name, useTools: false });
  });

  it.each([
    ['m[tools=no', 'm[tools=no'],
    ['m]tools=no[', 'm]tools=no['],
    ['m[tools]', '[tools]'],
    ['m[]', '[]'],
    ['m[=no]', '[=no]'],
    ['m[tools=no,]', '[tools=no,]'],
    ['m[tools=no][x=y]', '[tools=no][x=y]'],
    ['m[a=b=c]', '[a=b=c]'],
    ['m[a b=c]', '[a b=c]'],
    ['m[[tools=no]]', '[[tools=no]]'],
    ['m[tools=no]x', 'm[tools=no]x'],
    ['[tools=no]', '[tools=no]'],
    [' [tools=no]', ' [tools=no]'],
    ['', ''],
  ])('refuses %j and names %j', (raw, named) => {
    const message = `[InvalidModelId] model id ${JSON.stringify(raw)}: ${JSON.stringify(named)} is not of the form`;
    expect(() => parseModelId(raw)).toThrow(InvalidModelId);
    expect(() => parseModelId(raw)).toThrow(message);
  });

  it('refuses an id of more than 512 characters, without showing it: rows could not be found by it', () => {
    expect(parseModelId('m'.repeat(512))).toMatchObject({ useTools: true });
    const refused = '[InvalidModelId] model id of 513 characters: it has more than 512.';
    expect(() => parseModelId('m'.repeat(513))).toThrow(refused);
  });

  it('X-S1: takes time linear in the id', () => {
    expect(() => parseModelId(`m[a=${' '.repeat(100_000)}=]`)).toThrow(InvalidModelId);
  });
});
