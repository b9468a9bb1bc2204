import { describe, expect, test } from 'vitest';
import { acceptsEncoding, ENCODINGS } from './dashboard-files.ts';

describe('acceptsEncoding', () => {
  test.each([
    ['', []],
    ['gzip, deflate, br, zstd', ['br', 'gzip']],
    ['gzip', ['gzip']],
    ['x-gzip', ['gzip']],
    ['BR ; Q=0.5', ['br']],
    ['br;q=0, gzip', ['gzip']],
    ['br;q=0.000, gzip;q=0.001', ['gzip']],
    ['*', ['br', 'gzip']],
    ['*;q=0', []],
    ['*, br;q=0', ['gzip']],
    ['br, *;q=0', ['br']],
    ['identity', []],
    ['brotli, gzipped', []],
    [',;,=;q,', []],
  ])('header %j accepts %j', (header, encodings) => {
    expect(ENCODINGS.filter(encoding => acceptsEncoding(header, encoding))).toEqual(encodings);
  });
});
