import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '#lib/kernel';
import { renderTemplate, templateProblem, TemplateTooLarge } from '#lib/call-rules';
import { ladderStart } from './testing/ladder-start.js';

const step = { transitionName: 'open', fromState: 'new', toState: 'triage', reasoning: '' };
const rendered = (template: string, metaJson: JsonObject = {}) =>
  renderTemplate(template, ladderStart({ metaJson, history: [step, { ...step, toState: 'b' }] }).context);

describe('renderTemplate', () => {
  it('fills in names and dotted names of the context', () => {
    expect(rendered('{{currentState}} {{metaJson.a.b}} {{prompt}}', { a: { b: 1 } })).toBe(
      'triage 1 What next?',
    );
  });

  it('escapes nothing, with two braces, three, or &', () => {
    const text = `<&"'/=\`>`;
    expect(rendered('{{metaJson.t}}{{{metaJson.t}}}{{&metaJson.t}}', { t: text })).toBe(text.repeat(3));
  });

  it('leaves names that are missing empty', () => {
    expect(rendered('[{{nothing}}|{{metaJson.a.b.c}}|{{#nothing}}x{{/nothing}}|{{{nothing}}}]')).toBe(
      '[|||]',
    );
  });

  it('repeats a section for each member of a list, and looks outward from inside it', () => {
    expect(rendered('{{#history}}{{fromState}}>{{toState}}@{{currentState}};{{/history}}')).toBe(
      'new>triage@triage;new>b@triage;',
    );
    expect(rendered('{{#metaJson.l}}{{.}},{{/metaJson.l}}', { l: [1, 'b', null] })).toBe('1,b,,');
  });

  it('enters an object, skips what is empty or false, and turns that round with ^', () => {
    const metaJson = { o: { x: 1 }, no: false, none: [] };
    expect(
      rendered('{{#metaJson}}{{#o}}{{x}}{{/o}}{{#no}}!{{/no}}{{^none}}0{{/none}}{{/metaJson}}', metaJson),
    ).toBe('10');
  });

  it('does not look outward past a name that is there, even where it is null', () => {
    const template = '{{#metaJson.inner}}[{{currentState}}]{{/metaJson.inner}}';
    expect(rendered(template, { inner: { currentState: null } })).toBe('[]');
  });

  it.each([
    'constructor',
    'toString',
    '__proto__',
    'hasOwnProperty',
    'constructor.name',
    'metaJson.constructor',
  ])('does not find what JavaScript adds to every object: %s', (name) => {
    expect(rendered(`[{{${name}}}{{#${name}}}x{{/${name}}}]`)).toBe('[]');
    expect(rendered(`{{#history}}[{{${name}}}]{{/history}}`)).toBe('[][]');
  });

  it('finds such names when the context really holds them', () => {
    const metaJson = JSON.parse('{"constructor":"c","__proto__":"p"}') as JsonObject;
    expect(rendered('{{metaJson.constructor}}{{metaJson.__proto__}}', metaJson)).toBe('cp');
  });

  it('writes any objects and lists as JSON', () => {
    const metaJson = { o: { toString: 1, valueOf: null }, l: [1, { a: 'é' }] };
    expect(rendered('{{metaJson.o}} {{{metaJson.l}}}', metaJson)).toBe(
      '{"toString":1,"valueOf":null} [1,{"a":"é"}]',
    );
  });

  it('steps into lists that hold null, and takes no other template in', () => {
    expect(rendered('{{#metaJson.l}}({{x}}){{/metaJson.l}}{{> other}}', { l: [null, { x: 1 }] })).toBe(
      '()(1)',
    );
  });

  it('takes text from the context as text, not as a template', () => {
    expect(rendered('{{metaJson.t}}', { t: '{{currentState}}' })).toBe('{{currentState}}');
  });
});

describe('templateProblem', () => {
  it('finds none in a template', () => {
    expect(templateProblem('{{a}}{{#b}}{{/b}} and text')).toBeUndefined();
  });

  it.each(['{{a', '{{#a}}', '{{/a}}', '{{#a}}{{/b}}'])('says what is wrong with %j', (template) => {
    expect(templateProblem(template)).toEqual({
      path: '/contextTemplate',
      message: expect.stringMatching(/^\[InvalidTemplate\] contextTemplate: .+\. Close every/),
    });
  });
});

describe('renderTemplate: bounds', () => {
  const a = Array.from({ length: 12 }, (_, n) => n);
  const nested = (levels: number, inner = 'x') =>
    `${'{{#metaJson.a}}'.repeat(levels)}${inner}${'{{/metaJson.a}}'.repeat(levels)}`;

  it('X-S9: stops at sections that multiply', () => {
    expect(rendered(nested(3), { a })).toBe('x'.repeat(12 ** 3));
    expect(() => rendered(nested(7), { a })).toThrow(TemplateTooLarge);
    expect(() => rendered(nested(7, ''), { a })).toThrow('steps');
  });

  it('X-S9: stops at a result that is too long', () => {
    const text = 'x'.repeat(100_000);
    expect(() => rendered('{{#metaJson.a}}{{metaJson.text}}{{/metaJson.a}}', { a, text })).toThrow(
      'characters',
    );
  });

  it('X-S9: stops at many sections in one another, and at long names that are looked up often', () => {
    expect(() => rendered(nested(33), { a: true })).toThrow('nests');
    const name = `{{${'b.'.repeat(20_000)}c}}`;
    expect(rendered(name, { a })).toBe('');
    expect(() => rendered(nested(3, name), { a })).toThrow('steps');
  });

  it('X-S9: refuses templates that take long to parse, before they are parsed', () => {
    expect(templateProblem(`{{a${' '.repeat(60_000)}b}}`)?.message).toContain('blanks');
    expect(templateProblem('x'.repeat(70_000))?.message).toContain('characters');
  });
});
