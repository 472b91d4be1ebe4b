import { datasets } from '#lib/histories';
import { type Dataset, keyOf, viewName } from '#lib/read-models';

const BEGIN = '<!-- views: npm run operations:record -->';
const END = '<!-- /views -->';

/** The page with the columns of each view between the two marks. @throws Error if it has no marks */
export function withViews(page: string): string {
  const [before, rest] = page.split(BEGIN);
  const [, after] = rest?.split(END) ?? [];
  if (before === undefined || after === undefined)
    throw new Error('The page of views has lost the marks around its columns.');
  return `${before}${BEGIN}\n\n${datasets.map(sectionOf).join('\n\n')}\n\n${END}${after}`;
}

function sectionOf(one: Dataset): string {
  const columns = Object.entries(one.columns);
  const rows = columns.map(
    ([name, { type, about }]) => `| \`${name}\` | ${type === 'id' ? 'text' : type} | ${about} |`,
  );
  const keys = columns.flatMap(([name, column]) => {
    const key = keyOf(name, column);
    return key === undefined ? [] : [`| \`${key}\` | bytes | \`${name}\` as it is stored |`];
  });
  return [
    `### \`${viewName(one)}\``,
    '',
    one.about,
    '',
    '| column | type | meaning |',
    '| --- | --- | --- |',
    ...rows,
    ...keys,
  ].join('\n');
}
