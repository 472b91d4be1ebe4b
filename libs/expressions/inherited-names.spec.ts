import { describe, expect, it } from '@jest/globals';
import { Allowance, type JsonObject } from '#lib/kernel';
import { Expressions } from './expression.rules.js';

const expressions = new Expressions({ data: 'map', history: 'list' });
const evaluate = (text: string, values: JsonObject) => expressions.evaluate(text, values, new Allowance());

/** Data with one member of this name, parsed from JSON. */
function dataWith(name: string, value: string): JsonObject {
  return JSON.parse(`{"data":{${JSON.stringify(name)}:${value}},"history":[]}`) as JsonObject;
}

const NAMES = Object.getOwnPropertyNames(Object.prototype);

describe('an expression over a member with the name of one that every object inherits', () => {
  it.each(NAMES)('0.2-V14: reads %s where it is there, in each form', (name) => {
    const there = dataWith(name, '{"size":5,"name":"Ann"}');
    for (const form of [`data.${name}`, `data["${name}"]`]) {
      expect([form, evaluate(`${form}.size == 5`, there)]).toEqual([form, true]);
      expect([form, evaluate(`${form}.name == "Ann" && true`, there)]).toEqual([form, true]);
      expect([form, evaluate(`${form} == 5`, dataWith(name, '5'))]).toEqual([form, true]);
      expect([form, evaluate(`${form} == null`, dataWith(name, 'null'))]).toEqual([form, true]);
    }
    expect(evaluate(`has(data.${name})`, there)).toBe(true);
    expect(evaluate(`"${name}" in data`, there)).toBe(true);
    expect(evaluate(`size(data) == 1`, there)).toBe(true);
    expect(
      evaluate(`data.other == 5`, {
        ...dataWith(name, '5'),
        data: { ...(dataWith(name, '5')['data'] as JsonObject), other: 5 },
      }),
    ).toBe(true);
    expect(evaluate(`data == data`, there)).toBe(true);
    expect(evaluate(`data.exists(one, one == "${name}")`, there)).toBe(true);
  });

  it.each(NAMES)('0.2-V14: finds no %s where there is none', (name) => {
    const none: JsonObject = { data: { size: 1 }, history: [] };
    for (const form of [`data.${name}`, `data["${name}"]`])
      expect([form, evaluate(`${form} == null`, none)]).toEqual([form, undefined]);
    expect(evaluate(`has(data.${name})`, none)).toBe(false);
    expect(evaluate(`"${name}" in data`, none)).toBe(false);
  });
});
