import { parseArgs } from 'node:util';
import { benchmarks } from './benchmarks.js';
import { chosen } from './chosen.js';
import { measure, type Measured } from './measure.js';
import { reportJson, resultsDocument } from './report-json.js';
import { reportTable } from './report-table.js';
import { joined, missed, type Results } from './results.js';
import { saveResults } from './results-file.js';
import { TemporaryFolder } from './temporary-folder.js';
import type { Benchmark } from './comparison.js';

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: {
      json: { type: 'boolean', default: false },
      list: { type: 'boolean', default: false },
      /** The release whose results in `bench/results` these belong to. */
      save: { type: 'string' },
    },
    allowPositionals: true,
  });
  if (values.list) return void process.stdout.write(benchmarks.map(({ name }) => `${name}\n`).join(''));
  const temporary = new TemporaryFolder();
  const all: Results[] = [];
  for (const benchmark of chosen(benchmarks, positionals)) {
    process.stderr.write(`${benchmark.name} …\n`);
    all.push(await run(benchmark, temporary.add(benchmark.name)));
  }
  const results = joined(all);
  const document = resultsDocument(results);
  process.stdout.write(values.json ? reportJson(document) : reportTable(results));
  if (values.save !== undefined) saveResults(`bench/results/${values.save}.json`, document);
  if (missed(results).length === 0) return;
  process.stderr.write(`Missed: ${missed(results).join(', ')}\n`);
  process.exitCode = 1;
}

async function run(benchmark: Benchmark, folder: string): Promise<Results> {
  const open = await benchmark.open(folder);
  try {
    const measured: Measured[] = [];
    for (const comparison of open.comparisons) measured.push(await measure(comparison));
    return { measured, observations: (await open.observe?.()) ?? [] };
  } finally {
    await open.close();
  }
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  // A benchmark that failed halfway may have left threads and servers behind; they end with this process.
  process.exit(1);
}
