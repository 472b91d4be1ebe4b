import { fullFormats } from 'ajv-formats/dist/formats.js';
import { limits } from './limits.js';
import { compilePattern } from './pattern.js';

/** Whether a value has a format. Every value has an unknown format, or one for another type. */
export function hasFormat(format: string, value: string | number): boolean {
  const check = Object.hasOwn(own, format) ? own[format] : known(format);
  if (check === undefined) return true;
  if (typeof value === 'string' && value.length > limits.formatLength) return false;
  return check(value);
}

type Check = (value: string | number) => boolean;

/** Own checks for formats whose usual expressions take more than quadratic time, or compile the value as an expression. */
const own: { readonly [format: string]: Check } = {
  url: (value) => typeof value !== 'string' || (/^(?:https?|ftp):\/\/[^\s/?#]/i.test(value) && uri(value)),
  regex: (value) => typeof value !== 'string' || !('refused' in compilePattern(value)),
};

function uri(value: string): boolean {
  return known('uri')?.(value) ?? true;
}

function known(format: string): Check | undefined {
  if (!Object.hasOwn(fullFormats, format)) return undefined;
  const definition: unknown = fullFormats[format as keyof typeof fullFormats];
  if (definition instanceof RegExp) return (value) => typeof value !== 'string' || definition.test(value);
  if (typeof definition === 'function')
    return (value) => typeof value !== 'string' || definition(value) === true;
  if (typeof definition !== 'object' || definition === null) return undefined;
  const { type = 'string', validate } = definition as { type?: string; validate: unknown };
  if (validate instanceof RegExp) return (value) => typeof value !== 'string' || validate.test(value);
  if (typeof validate !== 'function') return undefined;
  return (value) => typeof value !== type || (validate as Check)(value);
}
