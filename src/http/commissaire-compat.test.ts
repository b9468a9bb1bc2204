import { expect, test } from 'vitest';
import { COMMISSAIRE_MODE, STANDARD_MODE } from './commissaire-compat.ts';

test('the standard mode enables no compatibility behaviour', () => {
  expect(STANDARD_MODE).toEqual({
    unauthorizedStatus: 401,
    repeatedPutStatus: 200,
    isNetworkOptional: false,
    includesClusterName: false,
  });
});

test('the Commissaire mode responds with 403 and 201, makes the network optional and includes cluster names', () => {
  expect(COMMISSAIRE_MODE).toEqual({
    unauthorizedStatus: 403,
    repeatedPutStatus: 201,
    isNetworkOptional: true,
    includesClusterName: true,
  });
});
