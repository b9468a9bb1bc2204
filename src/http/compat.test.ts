import { expect, test } from 'vitest';
import { COMMISSAIRE, NO_COMPAT } from './compat.ts';

test('nothing is bent for old clients unless that is asked for', () => {
  expect(NO_COMPAT).toEqual({
    unauthorizedStatus: 401,
    repeatedPutStatus: 200,
    isNetworkOptional: false,
    areOperationsNamed: false,
  });
});

test('clients of Commissaire get 403 for bad credentials, 201 for a repeated PUT, need no network, and read names in operations', () => {
  expect(COMMISSAIRE).toEqual({
    unauthorizedStatus: 403,
    repeatedPutStatus: 201,
    isNetworkOptional: true,
    areOperationsNamed: true,
  });
});
