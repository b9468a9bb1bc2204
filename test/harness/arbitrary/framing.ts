// How a request says where its body ends.

import fc from 'fast-check';
import type { Header } from './headers.ts';

export interface Framed {
  readonly headers: readonly Header[];
  readonly payload: Buffer;
}

const CHUNKED: Header = ['Transfer-Encoding', 'chunked'];
const lengthOf = (length: number | string): Header => ['Content-Length', String(length)];
const END = '0\r\n\r\n';

/** In chunks of this many bytes. */
function chunks(body: Buffer, size: number, extension = ''): Buffer[] {
  return Array.from({ length: Math.ceil(body.length / size) }, (_, index) => {
    const chunk = body.subarray(index * size, (index + 1) * size);
    return Buffer.concat([
      Buffer.from(`${chunk.length.toString(16)}${extension}\r\n`),
      chunk,
      Buffer.from('\r\n'),
    ]);
  });
}

const chunked = (parts: readonly Buffer[], end = END): Framed => ({
  headers: [CHUNKED],
  payload: Buffer.concat([...parts, Buffer.from(end)]),
});

type Framing = (body: Buffer) => Framed;

/** Where the next request begins is clear. */
export const FAIR = {
  length: body => ({ headers: [lengthOf(body.length)], payload: body }),
  chunked: body => chunked(chunks(body, 1000)),
  'small chunks': body => chunked(chunks(body.subarray(0, 300), 1)),
  'chunks with extensions': body => chunked(chunks(body, 1000, ';a="b";c')),
  'chunks with trailers': body =>
    chunked(chunks(body, 1000), '000\r\nX-Trailer: x\r\nAuthorization: Basic eDp4\r\n\r\n'),
} as const satisfies Record<string, Framing>;

const badLength =
  (value: string): Framing =>
  body => ({ headers: [lengthOf(value)], payload: body });

/** Where the next request begins is not, but nobody has to wait to find out. */
export const UNFAIR = {
  'no length': body => ({ headers: [], payload: body }),
  'a length that is too short': body => ({
    headers: [lengthOf(Math.floor(body.length / 2))],
    payload: body,
  }),
  'more behind it': body => ({
    headers: [lengthOf(body.length)],
    payload: Buffer.concat([body, Buffer.from('\0more')]),
  }),
  'two lengths': body => ({ headers: [lengthOf(body.length), lengthOf(body.length + 1)], payload: body }),
  'length and chunks': body => ({ ...FAIR.chunked(body), headers: [CHUNKED, lengthOf(body.length)] }),
  'a length below zero': badLength('-1'),
  'a length with a sign': badLength('+2'),
  'a length in hex': badLength('0x2'),
  'a list of lengths': badLength('2, 2'),
  'a length beyond all': badLength('99999999999999999999'),
  'a length beyond the limit': badLength('9007199254740991'),
  'no number': badLength('two'),
  'unknown coding': body => ({ headers: [['Transfer-Encoding', 'gzip']], payload: body }),
  'chunked twice': body => ({ ...FAIR.chunked(body), headers: [CHUNKED, CHUNKED] }),
  'not quite chunked': body => ({ ...FAIR.chunked(body), headers: [['Transfer-Encoding', 'xchunked']] }),
  'chunks without sizes': body => chunked([Buffer.from('zz\r\n'), body]),
  'a chunk that is too short': body => chunked([Buffer.from('1\r\n{more\r\n'), body]),
  'a size beyond all': () => chunked([Buffer.from(`${'f'.repeat(40)}\r\n`)]),
  'an extension with a space': body => chunked(chunks(body, 1000, '; a')),
  'an extension without end': () => chunked([Buffer.from(`1;${'a'.repeat(20_000)}\r\n{\r\n`)]),
  'trailers without end': body => chunked(chunks(body, 1000), `0\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`),
} as const satisfies Record<string, Framing>;

export type FairFraming = keyof typeof FAIR;
export type UnfairFraming = keyof typeof UNFAIR;

export const framing: fc.Arbitrary<FairFraming | UnfairFraming> = fc.oneof(
  { weight: 14, arbitrary: fc.constant('length' as const) },
  { weight: 4, arbitrary: fc.constantFrom(...(Object.keys(FAIR) as FairFraming[])) },
  { weight: 2, arbitrary: fc.constantFrom(...(Object.keys(UNFAIR) as UnfairFraming[])) },
);

export const frame = (body: Buffer, how: FairFraming | UnfairFraming): Framed =>
  ({ ...FAIR, ...UNFAIR })[how](body);
