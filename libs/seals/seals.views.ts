import { is, view } from '#lib/operations';

export class SealView extends view({
  index: is.whole(0).about('0, 1, …'),
  events: is.whole(1).about('All events of the tree'),
  root: is.text.about('The root of the tree of RFC 6962, SHA-256, hex'),
  previous: is.text.orNull.about('The root of the seal before'),
  subtrees: is.texts.about('The roots over each 64 events, from the first block to which this seal adds one'),
  log: is.text.about('The id of the log'),
  sealedAt: is.time,
  position: is.text.about('The position of the seal in the log. It is not signed'),
  keyId: is.text.optional.about('SHA-256 of the public key in DER form (SPKI), hex'),
  signature: is.text.optional.about(
    'Ed25519 over the canonical JSON (RFC 8785) of all other members but the position, base64',
  ),
}) {}

export class ProvedEvent extends view({
  stream: is.text.about('The stream, without the prefix of the log'),
  revision: is.whole(0),
  hash: is.text.about('The hash of the leaf, hex'),
  index: is.whole(0).about('The number of the leaf in the tree'),
  path: is.texts.about('The siblings on the path to the root, the one beside the leaf first'),
}) {}

export class UnsealedEvent extends view({ stream: is.text, revision: is.whole(0) }) {}

export class SealProofView extends view({
  seal: is.a(SealView),
  leaves: is.listOf(ProvedEvent),
  unsealed: is.listOf(UnsealedEvent).about('Events after the seal'),
}) {}
