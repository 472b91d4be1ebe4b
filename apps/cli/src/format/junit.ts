import { type JudgedHistory, type Regression, shownChange } from '#lib/histories/core';

/**
 * A regression as JUnit XML, with a case for each history: one that cannot be compared is an error, one that differs a failure. A machine
 * that no history uses is an error, too.
 */
export function junitReport({ histories, unusedMachines = [] }: Regression): string {
  const cases = [...histories.map(testCase), ...unusedMachines.map(unusedCase)].join('');
  const failures = histories.filter(({ verdict }) => verdict !== 'same' && !isError(verdict)).length;
  const errors = histories.filter(({ verdict }) => isError(verdict)).length + unusedMachines.length;
  const counts = `tests="${histories.length + unusedMachines.length}" failures="${failures}" errors="${errors}"`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites ${counts}>\n<testsuite name="redial regress" ${counts}>\n${cases}</testsuite>\n</testsuites>\n`;
}

function isError(verdict: JudgedHistory['verdict']): boolean {
  return verdict === 'unreadable' || verdict === 'double';
}

function testCase({ file, root, verdict, first, why = '' }: JudgedHistory): string {
  const name = root ? `${root.kind} ${root.id}` : file;
  const head = `<testcase classname="${attribute(file)}" name="${attribute(name)}"`;
  if (verdict === 'same') return `${head}/>\n`;
  const kind = isError(verdict) ? 'error' : 'failure';
  const [recorded, today] = first ? shownChange(first) : ['', ''];
  const text = first
    ? `${first.stream} revision ${first.revision} ${first.pointer ?? ''}\nrecorded ${recorded}\ntoday ${today}`
    : why;
  return `${head}><${kind} type="${verdict}" message="${attribute(text)}"/></testcase>\n`;
}

function unusedCase(name: string): string {
  const message = attribute(`no compared history uses the machine ${name}`);
  return `<testcase classname="--machine" name="${attribute(name)}"><error type="unused" message="${message}"/></testcase>\n`;
}

/** Characters that XML 1.0 cannot express are left out. */
function attribute(text: string): string {
  return text
    .replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
    .replaceAll(/[&<>"\n\r\t]/g, (character) => `&#${character.codePointAt(0)};`);
}
