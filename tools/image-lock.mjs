// Writes package.json and package-lock.json of the image's application into the working folder: the optional peers of the package,
// in the versions and with the hashes of this repository's lock file. npm keeps what the lock has, and adds the package itself.
import { readFileSync, writeFileSync } from 'node:fs';

const read = (name) => JSON.parse(readFileSync(new URL(`../${name}`, import.meta.url), 'utf8'));
const { peerDependenciesMeta } = read('package.json');
const { lockfileVersion, packages } = read('package-lock.json');
const dependencies = Object.fromEntries(
  Object.keys(peerDependenciesMeta).map((name) => [name, packages[`node_modules/${name}`].version]),
);
const application = { name: 'redial-image', private: true, dependencies };
// Development or not is decided for this application anew.
const locked = Object.entries(packages).map(([path, { dev: _, devOptional: __, ...entry }]) => [path, entry]);
const lock = {
  name: application.name,
  lockfileVersion,
  requires: true,
  packages: { ...Object.fromEntries(locked), '': { name: application.name, dependencies } },
};
writeFileSync('package.json', JSON.stringify(application, undefined, 2));
writeFileSync('package-lock.json', JSON.stringify(lock, undefined, 2));
