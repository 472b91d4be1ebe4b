import { jsonText, type Problem, withoutClass } from '#lib/kernel';
import { templateProblem } from '#lib/solicitation';

export function below(base: string, problems: readonly Problem[]): readonly Problem[] {
  return problems.map(({ path, message }) => ({ path: `${base}${path}`, message }));
}

/** The entries that repeat an earlier one. */
export function duplicates(
  values: readonly string[],
  pathOf: (index: number) => string,
  kind: string,
): readonly Problem[] {
  return values.flatMap((value, index) =>
    values.indexOf(value) === index
      ? []
      : [{ path: pathOf(index), message: `repeats the ${kind} ${jsonText(value)}` }],
  );
}

export function unknownFields(
  names: readonly string[] | undefined,
  fields: readonly string[],
  base: string,
): readonly Problem[] {
  return (names ?? []).flatMap((name, index) =>
    fields.includes(name)
      ? []
      : [{ path: `${base}/${index}`, message: `names no property of the schema: ${jsonText(name)}` }],
  );
}

const DATA_TAG = /\{\{[{&#^/]?\s*data\.([\w-]+)/g;

/** Why a text is no template over the data. */
export function templateProblems(
  template: string | undefined,
  fields: readonly string[],
  path: string,
): readonly Problem[] {
  if (template === undefined) return [];
  const broken = templateProblem(template);
  if (broken) return [{ path, message: withoutClass(broken.message) }];
  const named = [...template.matchAll(DATA_TAG)].map(([, name = '']) => name);
  const unknown = [...new Set(named)].filter((name) => !fields.includes(name));
  return unknown.map((name) => ({ path, message: `names no property of the schema: data.${name}` }));
}
