/** A metric as the text format says it. */
export interface MetricFamily {
  readonly name: string;
  readonly type: string;
  readonly samples: readonly Sample[];
}

export interface Sample {
  readonly name: string;
  readonly labels: ReadonlyMap<string, string>;
  readonly value: number;
}

const HEAD = /^# HELP (\S+) (\S.*)\n# TYPE (\S+) (counter|gauge|histogram|summary)(?:\n|$)/;
const SAMPLE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (-?\d[\d.e+-]*|NaN|[+-]Inf)$/;
const LABEL = /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/;

/**
 * Reads the Prometheus text format 0.0.4 as strictly as `promtool check metrics` does: each family once, with its help and type
 * before its samples; no series twice; whole histograms. @throws Error that quotes what breaks a rule
 */
export function readPrometheusText(text: string): readonly MetricFamily[] {
  if (!text.endsWith('\n')) throw new Error('The text does not end in a line feed.');
  const families = text
    .trimEnd()
    .split(/\n+(?=# HELP )/)
    .map(readFamily);
  const names = families.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`${twice} comes twice.`);
  return families;
}

/** The names that `promtool check metrics` refuses. */
export function lint({ name, type }: MetricFamily): readonly string[] {
  const rules: readonly (readonly [isBroken: boolean, complaint: string])[] = [
    [!/^[a-z][a-z0-9_]*$/.test(name), 'is not in snake case'],
    [(type === 'counter') !== name.endsWith('_total'), 'a counter, and nothing else, ends in _total'],
    [/_(count|sum|bucket|info)$/.test(name), 'ends like a part of a histogram'],
    [/_(ms|milliseconds|minutes|hours|kb|mb|percent)(_|$)/.test(name), 'is not in a base unit'],
    [/_(counter|gauge|histogram|summary)(_|$)/.test(name), 'names its type'],
  ];
  return rules.flatMap(([isBroken, complaint]) => (isBroken ? [`${name}: ${complaint}`] : []));
}

function readFamily(text: string): MetricFamily {
  const [head, name = '', , typed, type = ''] = HEAD.exec(text) ?? [];
  if (head === undefined || name !== typed) throw new Error(`No family begins so: ${text.slice(0, 200)}`);
  const samples = text
    .slice(head.length)
    .split('\n')
    .filter((line) => line !== '')
    .map(readSample);
  const keys = samples.map((one) => `${one.name} ${keyOf(one.labels)}`);
  if (new Set(keys).size < keys.length) throw new Error(`${name} has a series twice.`);
  const isForeign = (one: Sample) =>
    type === 'histogram' ? !/^_(bucket|sum|count)$/.test(one.name.slice(name.length)) : one.name !== name;
  if (samples.some((one) => !one.name.startsWith(name) || isForeign(one)))
    throw new Error(`${name} has samples of another name.`);
  if (type === 'counter' && samples.some(({ value }) => !(value >= 0)))
    throw new Error(`${name} is negative.`);
  if (type === 'histogram') checkHistogram(name, samples);
  return { name, type, samples };
}

function readSample(line: string): Sample {
  const [, name = '', labels = '', value = ''] = SAMPLE.exec(line) ?? [];
  if (name === '') throw new Error(`This is no sample: ${line}`);
  return { name, labels: readLabels(labels), value: Number(value.replace('Inf', 'Infinity')) };
}

function readLabels(text: string): Map<string, string> {
  const labels = new Map<string, string>();
  for (let rest = text; rest !== '';) {
    const [whole, name = '', value = ''] = LABEL.exec(rest) ?? [];
    if (whole === undefined || labels.has(name)) throw new Error(`These are no labels: ${text}`);
    labels.set(name, value);
    rest = rest.slice(whole.length);
  }
  return labels;
}

/** Each series has a sum, a count, and buckets that grow up to `+Inf`, which is the count. */
function checkHistogram(name: string, samples: readonly Sample[]): void {
  const series = new Map<string, Sample[]>();
  for (const sample of samples) {
    const key = keyOf([...sample.labels].filter(([label]) => label !== 'le'));
    series.set(key, [...(series.get(key) ?? []), sample]);
  }
  for (const [key, parts] of series) {
    const values = (part: string) =>
      parts.filter((one) => one.name === name + part).map(({ value }) => value);
    const bounds = parts.flatMap(({ labels }) => labels.get('le') ?? []);
    const buckets = values('_bucket');
    const isWhole =
      bounds.at(-1) === '+Inf' && values('_sum').length === 1 && values('_count')[0] === buckets.at(-1);
    const grows = buckets.every((value, index) => value >= (buckets[index - 1] ?? 0));
    if (!isWhole || !grows) throw new Error(`The histogram ${name} is not whole: ${key}`);
  }
}

function keyOf(labels: Iterable<readonly [string, string]>): string {
  return [...labels]
    .map(([label, value]) => `${label}=${value}`)
    .toSorted()
    .join();
}
