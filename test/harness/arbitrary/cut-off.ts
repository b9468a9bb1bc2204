// Requests that stop before they are whole. Nothing is wrong with them otherwise.

import fc from 'fast-check';
import type { RouteDefinition } from '../../../src/contract/route-definition.ts';
import { basic } from '../service.ts';
import { fieldsOf } from './bodies.ts';
import { pathOf } from './targets.ts';

/** Each takes the head, the body and some place in it; none is whole. */
const CUTS: readonly ((head: string, body: string, at: number) => string)[] = [
  (head, _body, at) => head.slice(0, at % head.length),
  (head, body, at) => `${head}Content-Length: ${body.length + 1 + (at % 5000)}\r\n\r\n${body}`,
  (head, body, at) => `${head}Content-Length: ${body.length}\r\n\r\n${body.slice(0, at % body.length)}`,
  (head, body) => `${head}Transfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n`,
  (head, body) =>
    `${head}Transfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\nX: y\r\n`,
  (head, body, at) =>
    `${head}Transfer-Encoding: chunked\r\n\r\n${(body.length + 100 + at).toString(16)}\r\n${body}\r\n0\r\n\r\n`,
  (head, body) => `${head}Expect: 100-continue\r\nContent-Length: ${body.length}\r\n\r\n`,
];

export const cutOffRequestTo = (row: RouteDefinition, credentials: string): fc.Arbitrary<string> =>
  fc
    .tuple(pathOf(row), fieldsOf(row), fc.constantFrom(...CUTS), fc.nat(100_000))
    .map(([path, fields, cut, at]) => {
      const head = `${row.method} ${encodeURI(path)} HTTP/1.1\r\nHost: x\r\nAuthorization: ${basic(credentials)}\r\n`;
      // In ASCII, so that its length is that of its bytes.
      const body = JSON.stringify(fields).replace(/[^ -~]/g, '?');
      return cut(head, body, at);
    });
