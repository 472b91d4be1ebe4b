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

const blobOf = ({ blob, text, base64 }) => {
  const bytes = text === undefined ? Buffer.from(base64, 'base64') : text;
  return sha256(bytes).toString('hex') === blob ? blob : fail('a value that is stored apart differs');
};

// 1. The file is whole: the last line holds the sum over all bytes before it.
const bytes = readFileSync(file);
const begin = bytes.lastIndexOf(10, bytes.length - 2) + 1;
const end = JSON.parse(bytes.subarray(begin).toString());
if (!end.end || end.sha256 !== sha256(bytes.subarray(0, begin)).toString('hex')) fail('the sum differs');
const [head, ...rest] = bytes
  .subarray(0, begin)
  .toString()
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line));
const events = rest.filter((line) => line.eventId !== undefined);
const isRedacted = head.redaction !== 'none';

// 2. Revisions follow each other, and each value that is stored apart is there, as its event names it.
const next = {};
for (const event of events) {
  if (event.revision !== (next[event.stream] ?? 0)) fail('revisions have a gap', [event]);
  next[event.stream] = event.revision + 1;
}
if (head.streams.some(({ stream, events: count }) => count !== next[stream])) fail('events are missing');
const blobs = new Set(rest.filter((line) => line.blob !== undefined).map(blobOf));
for (const event of isRedacted ? [] : events)
  for (const { sha256: blob } of event.metadata.encoding?.blobs ?? [])
    if (!blobs.has(blob)) fail('a value that is stored apart is missing', [event]);

// 3. The key has signed the seal.
if (!head.seal) {
  process.stderr.write('not authenticated: the file has no seal\n');
  process.exit(7);
}
const { seal, leaves, unsealed } = head.seal;
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

// 4. Each event has its leaf, and the path of the leaf leads to the root of the seal.
const leafOf = ({ stream, revision, eventId, type, data, metadata, dataSha256, metadataSha256 }) =>
  sha256(
    `\0${stream}\0${revision}\0${eventId}\0${type}\0`,
    isRedacted ? hex(dataSha256) : sha256(JSON.stringify(data)),
    isRedacted ? hex(metadataSha256) : sha256(JSON.stringify(metadata)),
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
  const isSame =
    Number.isSafeInteger(leaf.index) &&
    event.stream === leaf.stream &&
    event.revision === leaf.revision &&
    leaf.index > before;
  const hash = leafOf(event);
  const isUnder = rootOf(hash, leaf.index, seal.events, leaf.path.map(hex))?.toString('hex') === seal.root;
  if (!isSame || hash.toString('hex') !== leaf.hash || !isUnder)
    fail('an event is not the one that was sealed', [event]);
  before = leaf.index;
}

// 5. Events after the seal are not proved.
const after = events.length - leaves.length;
if (after !== unsealed.length) fail('the events after the seal differ');
if (after > 0) {
  process.stderr.write(`not authenticated: ${after} events came after the seal\n`);
  process.exit(7);
}
process.stdout.write(
  `sealed: ${events.length} events under seal ${seal.index} of the log ${seal.log}, ${seal.sealedAt}\n`,
);
if (isRedacted)
  process.stdout.write('redacted: the members that it shows are not proved, only streams, ids and types\n');
