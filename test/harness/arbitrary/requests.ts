// Whole requests to a row of the contract, as they go over the wire.

import fc from 'fast-check';
import type { RouteDefinition } from '../../../src/contract/route-definition.ts';
import { bodyOf } from './bodies.ts';
import type { FairFraming, UnfairFraming } from './framing.ts';
import { FAIR, frame, framing } from './framing.ts';
import type { Header } from './headers.ts';
import { authorization, headers } from './headers.ts';
import { targetOf } from './targets.ts';

export interface RawRequest {
  readonly method: string;
  readonly target: string;
  readonly version: string;
  readonly headers: readonly Header[];
  readonly body: Buffer;
  readonly framing: FairFraming | UnfairFraming;
}

const OTHER_METHODS = [
  ...[
    'GET',
    'PUT',
    'DELETE',
    'HEAD',
    'OPTIONS',
    'POST',
    'PATCH',
    'TRACE',
    'CONNECT',
    'QUERY',
    'PROPFIND',
    'MOVE',
  ],
  ...[
    'SEARCH',
    'M-SEARCH',
    'PURGE',
    'SOURCE',
    'get',
    'Put',
    'NOTHING',
    'PRI',
    '',
    '\0',
    'G ET',
    'GET\t',
    'x'.repeat(99),
  ],
] as const;

const method = (row: RouteDefinition): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 9, arbitrary: fc.constant(row.method) },
    { weight: 1, arbitrary: fc.constantFrom(...OTHER_METHODS) },
  );

const version = fc.oneof(
  { weight: 60, arbitrary: fc.constant('HTTP/1.1') },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'HTTP/1.0',
      'HTTP/2.0',
      'HTTP/1.2',
      'HTTP/0.9',
      'HTTP/9.9',
      'http/1.1',
      'FTP/1.1',
      '',
    ),
  },
);

const host = fc.oneof(
  { weight: 60, arbitrary: fc.constant<readonly Header[]>([['Host', '127.0.0.1']]) },
  { weight: 1, arbitrary: fc.constant<readonly Header[]>([]) },
);

const contentType = fc.oneof(
  { weight: 5, arbitrary: fc.constant<readonly Header[]>([['Content-Type', 'application/json']]) },
  { weight: 1, arbitrary: fc.constant<readonly Header[]>([]) },
);

const body = (row: RouteDefinition) =>
  row.body
    ? bodyOf(row)
    : fc.oneof({ weight: 3, arbitrary: fc.constant(Buffer.alloc(0)) }, { weight: 1, arbitrary: bodyOf(row) });

export const requestTo = (row: RouteDefinition, credentials: readonly string[]): fc.Arbitrary<RawRequest> =>
  fc.record({
    method: method(row),
    target: targetOf(row),
    version,
    headers: fc.tuple(host, authorization(credentials), contentType, headers).map(parts => parts.flat()),
    body: body(row),
    framing,
  });

export function bytesOf(request: RawRequest): Buffer {
  const framed = frame(request.body, request.framing);
  const lines = [...request.headers, ...framed.headers].map(([name, value]) => `${name}: ${value}`);
  const head = [`${request.method} ${request.target} ${request.version}`, ...lines, '', ''].join('\r\n');
  return Buffer.concat([Buffer.from(head, 'latin1'), framed.payload]);
}

/** Whether it is clear where the next request begins, if this one can be read at all. */
export const isFair = ({ framing: how }: RawRequest): boolean => how in FAIR;
