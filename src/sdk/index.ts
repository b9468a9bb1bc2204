// The public API of `hostler/sdk`, for programs in Node and in browsers. docs/guides/typescript-client.md describes it.

export type { Event } from '../contract/event-payloads.ts';
export type {
  ApiResponse,
  Client,
  ClientOptions,
  Credentials,
  HttpRequest,
  HttpResponse,
  HttpTransport,
  PathRequest,
  TextResponse,
} from './client.ts';
export { createClient, createRequestSender } from './client.ts';
export type { EnrolBody, EnrolledHost, EnrolmentResult, RejectedHost } from './enrolment.ts';
export { enrolInBatches } from './enrolment.ts';
export { ApiError, isRetryable, ServiceUnreachableError } from './errors.ts';
export type { StreamEvent, StreamOptions } from './event-stream.ts';
export { streamEvents } from './event-stream.ts';
export type * from './records.ts';
export { getNextCursor, getOperationId } from './response-headers.ts';
export type { WaitOptions } from './wait-for-operation.ts';
export { waitForOperation } from './wait-for-operation.ts';
