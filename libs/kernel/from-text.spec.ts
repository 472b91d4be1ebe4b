import { expect, it } from '@jest/globals';
import { fromText } from './from-text.js';

it.each<[unknown, string | readonly string[] | undefined, unknown]>([
  ['7', 'integer', 7],
  ['-7', 'integer', -7],
  ['7.5', 'integer', '7.5'],
  ['1e3', 'integer', '1e3'],
  ['99999999999999999', 'integer', '99999999999999999'],
  ['7.5', 'number', 7.5],
  ['1e999', 'number', '1e999'],
  [' ', 'number', ' '],
  ['true', 'boolean', true],
  ['yes', 'boolean', 'yes'],
  ['{"a":1}', 'object', { a: 1 }],
  ['{a}', 'object', '{a}'],
  ['7', 'string', '7'],
  ['7', undefined, '7'],
  ['null', ['string', 'null'], null],
  ['7', ['string', 'null'], '7'],
  ['7', ['object', 'number', 'null'], 7],
  ['[1]', ['array'], [1]],
  ['{a}', ['object', 'string'], '{a}'],
  [['7', '8'], 'integer', ['7', '8']],
])(
  'text %j becomes what a schema of type %s wants, and what does not fit stays text',
  (text, type, value) => {
    expect(fromText(text, type === undefined ? {} : { type })).toEqual(value);
  },
);
