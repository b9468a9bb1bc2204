import { describe, expect, test } from 'vitest';
import type { Address } from '../../domain/addresses/address.ts';
import { toRecordName } from '../../domain/record-name.ts';
import { checkBodyMatchesPath } from './validation.ts';

const params = { name: toRecordName('web'), address: '2001:db8::1' as Address };

describe('a body', () => {
  test.each<[string, unknown]>([
    ['repeat nothing', {}],
    ['repeat the name', { name: 'web' }],
    ['repeat the address in another form', { address: '2001:0DB8:0::1' }],
    ['repeat it as host', { host: '2001:db8::1' }],
    ['be missing', undefined],
    ['be null', null],
    ['be a list', []],
  ])('may %s', (_what, body) => {
    expect(checkBodyMatchesPath(params, body)).toBeUndefined();
  });

  test.each<[string, unknown, string[]]>([
    ['name', { name: 'db' }, ['/name']],
    ['name in other capitals', { name: 'Web' }, ['/name']],
    ['address', { address: '2001:db8::2' }, ['/address']],
    ['host', { host: 'web' }, ['/host']],
    ['type', { name: 5 }, ['/name']],
    ['null', { address: null }, ['/address']],
    ['name, address and host', { name: '', address: '', host: '' }, ['/name', '/address', '/host']],
  ])('may not say another %s', (_what, body, paths) => {
    const error = checkBodyMatchesPath(params, body);
    expect(error?.code).toBe('path_mismatch');
    expect(error?.errors.map(({ path }) => path)).toEqual(paths);
  });

  test('is compared with what the path has, and nothing else', () => {
    expect(checkBodyMatchesPath({}, { name: 'x', address: 'y', host: 'z' })).toBeUndefined();
    expect(checkBodyMatchesPath({ name: params.name }, { address: 'y', host: 'z' })).toBeUndefined();
  });
});
