import { createRequire } from 'node:module';

type Grpc = typeof import('@grpc/grpc-js');
type AnyModule = typeof import('google-protobuf/google/protobuf/any_pb.js');
type EmptyModule = typeof import('google-protobuf/google/protobuf/empty_pb.js');

/**
 * The client's own copies of gRPC and protobuf, found from where the client lies: google-protobuf keeps its types in
 * one global, so a second copy in the same process would not know the client's messages.
 */
const clientsRequire = createRequire(createRequire(import.meta.url).resolve('@eventstore/db-client'));

export const grpc = clientsRequire('@grpc/grpc-js') as Grpc;
export const { Any } = clientsRequire('google-protobuf/google/protobuf/any_pb.js') as AnyModule;
export const { Empty } = clientsRequire('google-protobuf/google/protobuf/empty_pb.js') as EmptyModule;

export type { Metadata, ServerDuplexStream, ServerReadableStream, ServerWritableStream } from '@grpc/grpc-js';
export type { sendUnaryData, ServerUnaryCall, ServiceError, UntypedHandleCall } from '@grpc/grpc-js';
