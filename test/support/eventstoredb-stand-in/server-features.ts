import features from '@eventstore/db-client/generated/serverfeatures_pb.js';
import type { SupportedMethods } from '@eventstore/db-client/generated/serverfeatures_pb.js';

const STREAMS = 'event_store.client.streams.streams';
const METHODS = ['read', 'append', 'batchappend', 'delete', 'tombstone'];
const VERSION = '24.10.0';

export function supportedMethods(): SupportedMethods {
  const methods = METHODS.map((name) =>
    new features.SupportedMethod().setServiceName(STREAMS).setMethodName(name),
  );
  return new features.SupportedMethods().setEventStoreServerVersion(VERSION).setMethodsList(methods);
}
