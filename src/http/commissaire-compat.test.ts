import { expect, test } from 'vitest';
import { COMMISSAIRE_MODE, STANDARD_MODE } from './commissaire-compat.ts';

test('nothing is bent for old clients unless that is asked for', () => {
  expect(STANDARD_MODE).toEqual({
    unauthorizedStatus: 401,
    repeatedPutStatus: 200,
    isNetworkOptional: false,
    includesClusterName: false,
  });
});

test('clients of Commissaire get 403 for bad credentials, 201 for a repeated PUT, need no network, and read names in operations', () => {
  expect(COMMISSAIRE_MODE).toEqual({
    unauthorizedStatus: 403,
    repeatedPutStatus: 201,
    isNetworkOptional: true,
    includesClusterName: true,
  });
});
