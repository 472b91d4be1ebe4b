// Prints the optional peer dependencies with their ranges: the image installs all of them.
import { readFileSync } from 'node:fs';

const { peerDependencies, peerDependenciesMeta } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
);
const names = Object.keys(peerDependenciesMeta);
process.stdout.write(`${names.map((name) => `${name}@${peerDependencies[name]}`).join(' ')}\n`);
