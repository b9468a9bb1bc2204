import fc from 'fast-check';
import type { RouteDefinition } from '../../../src/contract/route-definition.ts';
import { arbitraryBody } from './bodies.ts';
import type { Header } from './headers.ts';
import { authorization, headers } from './headers.ts';
import { arbitraryTarget } from './targets.ts';

interface FramedBody {
  readonly headers: readonly Header[];
  readonly payload: Buffer;
}

const CHUNKED: Header = ['Transfer-Encoding', 'chunked'];
const contentLength = (length: number | string): Header => ['Content-Length', String(length)];
const LAST_CHUNK = '0\r\n\r\n';

function chunks(body: Buffer, size: number, extension = ''): Buffer[] {
  return Array.from({ length: Math.ceil(body.length / size) }, (_, index) => {
    const chunk = body.subarray(index * size, (index + 1) * size);
    return Buffer.concat([Buffer.from(`${chunk.length.toString(16)}${extension}\r\n`), chunk, Buffer.from('\r\n')]);
  });
}

const chunked = (encodedChunks: readonly Buffer[], end = LAST_CHUNK): FramedBody => ({
  headers: [CHUNKED],
  payload: Buffer.concat([...encodedChunks, Buffer.from(end)]),
});

type Framing = (body: Buffer) => FramedBody;

/** The start of the next request is unambiguous. */
const VALID_FRAMINGS = {
  length: body => ({ headers: [contentLength(body.length)], payload: body }),
  chunked: body => chunked(chunks(body, 1000)),
  'small chunks': body => chunked(chunks(body.subarray(0, 300), 1)),
  'chunks with extensions': body => chunked(chunks(body, 1000, ';a="b";c')),
  'chunks with trailers': body =>
    chunked(chunks(body, 1000), '000\r\nX-Trailer: x\r\nAuthorization: Basic eDp4\r\n\r\n'),
} as const satisfies Record<string, Framing>;

const badLength =
  (value: string): Framing =>
  body => ({ headers: [contentLength(value)], payload: body });

/** The start of the next request is ambiguous, but the server need not wait for more bytes to detect it. */
const INVALID_FRAMINGS = {
  'no length': body => ({ headers: [], payload: body }),
  'a length that is too short': body => ({
    headers: [contentLength(Math.floor(body.length / 2))],
    payload: body,
  }),
  'more behind it': body => ({
    headers: [contentLength(body.length)],
    payload: Buffer.concat([body, Buffer.from('\0more')]),
  }),
  'two lengths': body => ({
    headers: [contentLength(body.length), contentLength(body.length + 1)],
    payload: body,
  }),
  'length and chunks': body => ({
    ...VALID_FRAMINGS.chunked(body),
    headers: [CHUNKED, contentLength(body.length)],
  }),
  'a length below zero': badLength('-1'),
  'a length with a sign': badLength('+2'),
  'a length in hex': badLength('0x2'),
  'a list of lengths': badLength('2, 2'),
  'a length beyond all': badLength('99999999999999999999'),
  'a length beyond the limit': badLength('9007199254740991'),
  'no number': badLength('two'),
  'unknown coding': body => ({ headers: [['Transfer-Encoding', 'gzip']], payload: body }),
  'chunked twice': body => ({ ...VALID_FRAMINGS.chunked(body), headers: [CHUNKED, CHUNKED] }),
  'not quite chunked': body => ({
    ...VALID_FRAMINGS.chunked(body),
    headers: [['Transfer-Encoding', 'xchunked']],
  }),
  'chunks without sizes': body => chunked([Buffer.from('zz\r\n'), body]),
  'a chunk that is too short': body => chunked([Buffer.from('1\r\n{more\r\n'), body]),
  'a size beyond all': () => chunked([Buffer.from(`${'f'.repeat(40)}\r\n`)]),
  'an extension with a space': body => chunked(chunks(body, 1000, '; a')),
  'an extension without end': () => chunked([Buffer.from(`1;${'a'.repeat(20_000)}\r\n{\r\n`)]),
  'trailers without end': body => chunked(chunks(body, 1000), `0\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`),
} as const satisfies Record<string, Framing>;

type ValidFraming = keyof typeof VALID_FRAMINGS;
type InvalidFraming = keyof typeof INVALID_FRAMINGS;

const framing: fc.Arbitrary<ValidFraming | InvalidFraming> = fc.oneof(
  { weight: 14, arbitrary: fc.constant('length' as const) },
  { weight: 4, arbitrary: fc.constantFrom(...(Object.keys(VALID_FRAMINGS) as ValidFraming[])) },
  { weight: 2, arbitrary: fc.constantFrom(...(Object.keys(INVALID_FRAMINGS) as InvalidFraming[])) },
);

const frame = (body: Buffer, kind: ValidFraming | InvalidFraming): FramedBody =>
  ({ ...VALID_FRAMINGS, ...INVALID_FRAMINGS })[kind](body);

// Complete requests to a route, as bytes on the wire.

export interface RawRequest {
  readonly method: string;
  readonly target: string;
  readonly version: string;
  readonly headers: readonly Header[];
  readonly body: Buffer;
  readonly framing: ValidFraming | InvalidFraming;
}

const OTHER_METHODS = [
  ...['GET', 'PUT', 'DELETE', 'HEAD', 'OPTIONS', 'POST', 'PATCH', 'TRACE', 'CONNECT', 'QUERY', 'PROPFIND', 'MOVE'],
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

const method = (route: RouteDefinition): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 9, arbitrary: fc.constant(route.method) },
    { weight: 1, arbitrary: fc.constantFrom(...OTHER_METHODS) },
  );

const version = fc.oneof(
  { weight: 60, arbitrary: fc.constant('HTTP/1.1') },
  {
    weight: 1,
    arbitrary: fc.constantFrom('HTTP/1.0', 'HTTP/2.0', 'HTTP/1.2', 'HTTP/0.9', 'HTTP/9.9', 'http/1.1', 'FTP/1.1', ''),
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

const body = (route: RouteDefinition) =>
  route.body
    ? arbitraryBody(route)
    : fc.oneof({ weight: 3, arbitrary: fc.constant(Buffer.alloc(0)) }, { weight: 1, arbitrary: arbitraryBody(route) });

export const arbitraryRequest = (route: RouteDefinition, credentials: readonly string[]): fc.Arbitrary<RawRequest> =>
  fc.record({
    method: method(route),
    target: arbitraryTarget(route),
    version,
    headers: fc.tuple(host, authorization(credentials), contentType, headers).map(headerLists => headerLists.flat()),
    body: body(route),
    framing,
  });

export function encodeRequest(request: RawRequest): Buffer {
  const framed = frame(request.body, request.framing);
  const lines = [...request.headers, ...framed.headers].map(([name, value]) => `${name}: ${value}`);
  const head = [`${request.method} ${request.target} ${request.version}`, ...lines, '', ''].join('\r\n');
  return Buffer.concat([Buffer.from(head, 'latin1'), framed.payload]);
}

/** Whether the start of the next request is unambiguous, if the server can parse this one. */
export const hasValidFraming = ({ framing: kind }: RawRequest): boolean => kind in VALID_FRAMINGS;
