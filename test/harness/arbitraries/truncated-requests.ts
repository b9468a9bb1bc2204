// Valid requests that stop before their end.

import fc from 'fast-check';
import type { RouteDefinition } from '../../../src/contract/route-definition.ts';
import { basic } from '../credentials.ts';
import { arbitraryFields } from './bodies.ts';
import { arbitraryPath } from './targets.ts';

/** Each function receives the head, the body and a position. */
const TRUNCATIONS: readonly ((head: string, body: string, position: number) => string)[] = [
  (head, _body, position) => head.slice(0, position % head.length),
  (head, body, position) => `${head}Content-Length: ${body.length + 1 + (position % 5000)}\r\n\r\n${body}`,
  (head, body, position) => `${head}Content-Length: ${body.length}\r\n\r\n${body.slice(0, position % body.length)}`,
  (head, body) => `${head}Transfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n`,
  (head, body) => `${head}Transfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\nX: y\r\n`,
  (head, body, position) =>
    `${head}Transfer-Encoding: chunked\r\n\r\n${(body.length + 100 + position).toString(16)}\r\n${body}\r\n0\r\n\r\n`,
  (head, body) => `${head}Expect: 100-continue\r\nContent-Length: ${body.length}\r\n\r\n`,
];

export const truncatedRequest = (route: RouteDefinition, credentials: string): fc.Arbitrary<string> =>
  fc
    .tuple(arbitraryPath(route), arbitraryFields(route), fc.constantFrom(...TRUNCATIONS), fc.nat(100_000))
    .map(([path, fields, truncate, position]) => {
      const head = `${route.method} ${encodeURI(path)} HTTP/1.1\r\nHost: x\r\nAuthorization: ${basic(credentials)}\r\n`;
      // ASCII, so that the length in characters equals the length in bytes.
      const body = JSON.stringify(fields).replace(/[^ -~]/g, '?');
      return truncate(head, body, position);
    });
