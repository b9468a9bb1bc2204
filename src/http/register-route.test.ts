import { describe, expect, test } from 'vitest';
import type { Address } from '../domain/addresses/address.ts';
import { toRecordName } from '../domain/record-name.ts';
import { checkBodyMatchesPath } from './register-route.ts';

const params = { name: toRecordName('web'), address: '2001:db8::1' as Address };

describe('checkBodyMatchesPath', () => {
  test.each<[string, unknown]>([
    ['without repeated fields', {}],
    ['that repeats the name', { name: 'web' }],
    ['that repeats the address in another notation', { address: '2001:0DB8:0::1' }],
    ['that repeats the address as host', { host: '2001:db8::1' }],
    ['that is missing', undefined],
    ['that is null', null],
    ['that is a list', []],
  ])('accepts a body %s', (_case, body) => {
    expect(checkBodyMatchesPath(params, body)).toBeUndefined();
  });

  test.each<[string, unknown, string[]]>([
    ['another name', { name: 'db' }, ['/name']],
    ['the name in different case', { name: 'Web' }, ['/name']],
    ['another address', { address: '2001:db8::2' }, ['/address']],
    ['another host', { host: 'web' }, ['/host']],
    ['a name of the wrong type', { name: 5 }, ['/name']],
    ['a null address', { address: null }, ['/address']],
    ['an empty name, address and host', { name: '', address: '', host: '' }, ['/name', '/address', '/host']],
  ])('rejects a body with %s', (_case, body, paths) => {
    const error = checkBodyMatchesPath(params, body);
    expect(error?.code).toBe('path_mismatch');
    expect(error?.errors.map(({ path }) => path)).toEqual(paths);
  });

  test('ignores fields that the path does not have', () => {
    expect(checkBodyMatchesPath({}, { name: 'x', address: 'y', host: 'z' })).toBeUndefined();
    expect(checkBodyMatchesPath({ name: params.name }, { address: 'y', host: 'z' })).toBeUndefined();
  });
});
