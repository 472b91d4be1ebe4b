// Checks a history file against the seal in it, without Redial: node verify-history.mjs <file> <public key>
import { createHash, createPublicKey, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';

const [file, keyFile] = process.argv.slice(2);
const sha256 = (...parts) => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};
const hex = (text) => Buffer.from(text, 'hex');
const fail = (why, events = []) => {
  for (const { stream, revision } of events) process.stderr.write(`  ${stream} revision ${revision}\n`);
  process.stderr.write(`not what was sealed: ${why}\n`);
  process.exit(3);
};

// 1. The file is whole: the last line holds the sum over all bytes before it.
const bytes = readFileSync(file);
const begin = bytes.lastIndexOf(10, bytes.length - 2) + 1;
const end = JSON.parse(bytes.subarray(begin).toString());
if (!end.end || end.sha256 !== sha256(bytes.subarray(0, begin)).toString('hex')) fail('the sum is another');
const [head, ...rest] = bytes
  .subarray(0, begin)
  .toString()
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line));
const events = rest.filter((line) => line.eventId !== undefined);

// 2. The key has signed the seal.
const { seal, leaves, unsealed } = head.seal ?? fail('the file has no seal');
const canonical = (value) => {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const members = Object.keys(value).toSorted();
  return `{${members.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(',')}}`;
};
const { position, signature, ...signed } = seal;
const key = createPublicKey(readFileSync(keyFile));
const isSigned =
  signature !== undefined &&
  verify(null, Buffer.from(canonical(signed)), key, Buffer.from(signature, 'base64'));
if (!isSigned) fail('the key has not signed the seal', leaves.slice(0, 64));

// 3. Each event has its leaf, and the path of the leaf leads to the root of the seal.
const leafOf = ({ stream, revision, eventId, type, data, metadata, dataSha256, metadataSha256 }) =>
  sha256(
    `\0${stream}\0${revision}\0${eventId}\0${type}\0`,
    dataSha256 === undefined ? sha256(JSON.stringify(data)) : hex(dataSha256),
    metadataSha256 === undefined ? sha256(JSON.stringify(metadata)) : hex(metadataSha256),
  );
const node = (left, right) => sha256(Buffer.of(1), left, right);
const rootOf = (leaf, index, count, path) => {
  if (index >= count) return undefined;
  if (count === 1) return path.length === 0 ? leaf : undefined;
  if (path.length === 0) return undefined;
  const [inside, beside] = [path.slice(0, -1), path.at(-1)];
  const middle = 2 ** Math.floor(Math.log2(count - 1));
  const isLeft = index < middle;
  const below = isLeft
    ? rootOf(leaf, index, middle, inside)
    : rootOf(leaf, index - middle, count - middle, inside);
  return below && (isLeft ? node(below, beside) : node(beside, below));
};
let before = -1;
for (const [at, leaf] of leaves.entries()) {
  const event = events[at] ?? fail('sealed events are missing', leaves.slice(at, at + 64));
  const isSame = event.stream === leaf.stream && event.revision === leaf.revision && leaf.index > before;
  const hash = leafOf(event);
  const isUnder = rootOf(hash, leaf.index, seal.events, leaf.path.map(hex))?.toString('hex') === seal.root;
  if (!isSame || hash.toString('hex') !== leaf.hash || !isUnder)
    fail('an event is not the one that was sealed', [event]);
  before = leaf.index;
}

// 4. Events after the seal are not proved.
const after = events.length - leaves.length;
if (after !== unsealed.length) fail('the events after the seal are others');
if (after > 0) {
  process.stderr.write(`not authenticated: ${after} events came after the seal\n`);
  process.exit(7);
}
process.stdout.write(`sealed: ${events.length} events under seal ${seal.index} of ${seal.sealedAt}\n`);
