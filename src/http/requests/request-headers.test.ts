import { describe, expect, test } from 'vitest';
import { AppError } from '../../domain/errors.ts';
import { parseIfMatch, prefersOpenMetrics, readIdempotencyKey, toEtag } from './request-headers.ts';

describe('parseIfMatch', () => {
  test.each<[string, string | undefined, ReturnType<typeof parseIfMatch>]>([
    ['returns undefined if the header is missing', undefined, undefined],
    ['accepts * for any record', '*', '*'],
    ['accepts * with surrounding spaces', ' * ', '*'],
    ['parses one revision', '"a1"', ['a1']],
    ['parses several revisions', '"a1", "b2","c3"', ['a1', 'b2', 'c3']],
    ['parses a revision that contains a comma', '"a,1"', ['a,1']],
    ['parses a quoted * as a revision', '"*"', ['*']],
    ['parses an empty revision', '""', ['']],
    ['ignores a weak validator', 'W/"a1"', []],
    ['ignores weak validators in a list', 'W/"a1", "b2"', ['b2']],
    ['returns no revision without quotes', 'a1', []],
    ['returns no revision for an empty header', '', []],
    ['returns no revision if a quote is missing', '"a1', []],
  ])('%s', (_case, header, expected) => {
    expect(parseIfMatch(header)).toEqual(expected);
  });

  test('parses the result of toEtag', () => {
    expect(parseIfMatch(toEtag('r-1_x'))).toEqual(['r-1_x']);
  });
});

const read = (key: string | undefined) => readIdempotencyKey(key === undefined ? {} : { 'idempotency-key': key });

test('readIdempotencyKey returns null if the header is missing', () => {
  expect(read(undefined)).toBeNull();
});

test.each(['k', '!~', 'x'.repeat(128), '8e03978e-40d5-43dd-bc93-6894a57f9324'])(
  'readIdempotencyKey accepts %s',
  key => {
    expect(read(key)).toBe(key);
  },
);

test.each(['', 'x'.repeat(129), 'two words', 'one, two', 'tab\t', 'ä', '\x7f'])(
  'readIdempotencyKey rejects %j',
  key => {
    const error = read(key);
    expect(error instanceof AppError && error.code).toBe('invalid_header');
  },
);

const OPEN_METRICS_TYPE = 'application/openmetrics-text';

test.each([
  [
    'Prometheus 2',
    `${OPEN_METRICS_TYPE};version=1.0.0,${OPEN_METRICS_TYPE};version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1`,
  ],
  [
    'Prometheus 3',
    `${OPEN_METRICS_TYPE};version=1.0.0;escaping=allow-utf-8;q=0.6,${OPEN_METRICS_TYPE};version=0.0.1;q=0.5,text/plain;version=1.0.0;q=0.4,*/*;q=0.2`,
  ],
  ['the media type alone', OPEN_METRICS_TYPE],
  ['uppercase letters and spaces', 'Application/OpenMetrics-Text ; Version="1.0.0" , */* ; Q=0.3'],
  ['equal weights', `text/plain, ${OPEN_METRICS_TYPE}`],
])('prefersOpenMetrics selects OpenMetrics for %s', (_case, accept) => {
  expect(prefersOpenMetrics(accept)).toBe(true);
});

test.each([
  ['a missing header', undefined],
  ['an empty header', ''],
  ['any media type', '*/*'],
  ['a browser', 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'],
  ['an unsupported version', `${OPEN_METRICS_TYPE};version=0.0.1`],
  ['a higher weight of text/plain', `${OPEN_METRICS_TYPE};q=0.2,text/plain;q=0.9`],
  ['a weight of zero', `${OPEN_METRICS_TYPE};q=0,text/plain`],
  ['an invalid weight', `${OPEN_METRICS_TYPE};q=much`],
])('prefersOpenMetrics selects the Prometheus format for %s', (_case, accept) => {
  expect(prefersOpenMetrics(accept)).toBe(false);
});
