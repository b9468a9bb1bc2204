import { describe, expect, test } from 'vitest';
import { AppError } from '../../domain/errors.ts';
import { parseIfMatch, prefersOpenMetrics, readIdempotencyKey, toEtag } from './request-headers.ts';

describe('If-Match', () => {
  test.each<[string, string | undefined, ReturnType<typeof parseIfMatch>]>([
    ['that is missing asks for nothing', undefined, undefined],
    ['with a star takes any record', '*', '*'],
    ['with a star between spaces takes any record', ' * ', '*'],
    ['takes one revision', '"a1"', ['a1']],
    ['takes several', '"a1", "b2","c3"', ['a1', 'b2', 'c3']],
    ['takes a revision with a comma in it', '"a,1"', ['a,1']],
    ['takes a star in quotes as a revision', '"*"', ['*']],
    ['takes the empty revision', '""', ['']],
    ['matches nothing by a weak validator', 'W/"a1"', []],
    ['leaves weak validators out', 'W/"a1", "b2"', ['b2']],
    ['matches nothing without quotes', 'a1', []],
    ['matches nothing when it is empty', '', []],
    ['matches nothing when a quote is missing', '"a1', []],
  ])('%s', (_what, header, expected) => {
    expect(parseIfMatch(header)).toEqual(expected);
  });

  test('takes the ETag that was given', () => {
    expect(parseIfMatch(toEtag('r-1_x'))).toEqual(['r-1_x']);
  });
});

const read = (key: string | undefined) =>
  readIdempotencyKey(key === undefined ? {} : { 'idempotency-key': key });

test('no key is none', () => {
  expect(read(undefined)).toBeNull();
});

test.each(['k', '!~', 'x'.repeat(128), '8e03978e-40d5-43dd-bc93-6894a57f9324'])('%s is a key', key => {
  expect(read(key)).toBe(key);
});

test.each(['', 'x'.repeat(129), 'two words', 'one, two', 'tab\t', 'ä', '\x7f'])('%j is refused', key => {
  const error = read(key);
  expect(error instanceof AppError && error.code).toBe('invalid_header');
});

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
  ['the name alone', OPEN_METRICS_TYPE],
  ['capitals and spaces', 'Application/OpenMetrics-Text ; Version="1.0.0" , */* ; Q=0.3'],
  ['both alike', `text/plain, ${OPEN_METRICS_TYPE}`],
])('OpenMetrics is for whoever asks for it: %s', (_who, accept) => {
  expect(prefersOpenMetrics(accept)).toBe(true);
});

test.each([
  ['nobody said anything', undefined],
  ['nothing', ''],
  ['anything', '*/*'],
  ['a browser', 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'],
  ['a version that we do not write', `${OPEN_METRICS_TYPE};version=0.0.1`],
  ['rather the older form', `${OPEN_METRICS_TYPE};q=0.2,text/plain;q=0.9`],
  ['not that', `${OPEN_METRICS_TYPE};q=0,text/plain`],
  ['a weight that is none', `${OPEN_METRICS_TYPE};q=much`],
])('the older form is for all others: %s', (_who, accept) => {
  expect(prefersOpenMetrics(accept)).toBe(false);
});
