import { describe, expect, test } from 'vitest';
import { parseHostParameter } from './query-parameters.ts';

describe('parseHostParameter', () => {
  test.each([
    [{}, undefined],
    [{ host: '127.0.0.1' }, '127.0.0.1'],
    [{ host: '0:0:0:0:0:0:0:1' }, '::1'],
    [{ host: '::ffff:10.0.0.1' }, '10.0.0.1'],
  ])('parses %j as %s', (query, address) => {
    expect(parseHostParameter(query)).toBe(address);
  });

  test.each([{ host: '' }, { host: 'web-1' }, { host: '10.0.0.0/8' }])('rejects %j', query => {
    expect(parseHostParameter(query)).toMatchObject({
      code: 'invalid_query',
      detail: 'host must be an IPv4 or IPv6 address',
      errors: [{ path: '/host', message: 'must be an IPv4 or IPv6 address' }],
    });
  });
});
