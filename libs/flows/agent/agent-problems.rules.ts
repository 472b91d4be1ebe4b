import { below, jsonText, type Problem } from '#lib/kernel';
import { templateProblem } from '#lib/call-rules';

/** The problems of each element, with paths below its index. */
export function ofEach<One>(
  all: readonly One[] | undefined,
  problemsOf: (one: One, index: number) => readonly Problem[],
): readonly Problem[] {
  return (all ?? []).flatMap((one, index) => below(`/${index}`, problemsOf(one, index)));
}

/** The elements that repeat an earlier one. */
export function duplicates(values: readonly string[], kind: string, path = ''): readonly Problem[] {
  return ofEach(values, (value, index) =>
    values.indexOf(value) === index ? [] : [{ path, message: `repeats the ${kind} ${jsonText(value)}` }],
  );
}

export function unknownFields(
  names: readonly string[] | undefined,
  fields: readonly string[],
): readonly Problem[] {
  return ofEach(names, (name) =>
    fields.includes(name)
      ? []
      : [{ path: '', message: `names no property of the schema: ${jsonText(name)}` }],
  );
}

const DATA_TAG = /\{\{[{&#^/]?\s*data\.([\w-]+)/g;

/** The problem of a text that is not a template over the data. */
export function templateProblems(
  template: string | undefined,
  fields: readonly string[],
): readonly Problem[] {
  if (template === undefined) return [];
  const broken = templateProblem(template);
  if (broken) return [{ path: '', message: broken.message }];
  const named = [...template.matchAll(DATA_TAG)].map(([, name = '']) => name);
  const unknown = [...new Set(named)].filter((name) => !fields.includes(name));
  return unknown.map((name) => ({ path: '', message: `names no property of the schema: data.${name}` }));
}
