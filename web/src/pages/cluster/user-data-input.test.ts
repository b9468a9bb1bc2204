import { expect, test } from 'vitest';
import { EMPTY_TOKEN_FORM } from '../../enrolment/enrolment-input.ts';
import type { UserDataFormValues } from './user-data-input.ts';
import { EMPTY_USER_DATA_FORM, toUserDataInput } from './user-data-input.ts';

test.each<[string, Partial<UserDataFormValues>, object]>([
  ['no empty values', {}, {}],
  ['the server URL', { url: ' https://hostler.example ' }, { url: 'https://hostler.example' }],
  ['the SSH user', { remote_user: 'core' }, { remote_user: 'core' }],
  ['the CA certificates', { ca: '-----BEGIN\n' }, { ca: '-----BEGIN' }],
])('toUserDataInput sends %s', (_title, values, input) => {
  expect(toUserDataInput(EMPTY_TOKEN_FORM, { ...EMPTY_USER_DATA_FORM, ...values })).toEqual(input);
});

test('toUserDataInput sends the limits of the token', () => {
  const token = { ...EMPTY_TOKEN_FORM, uses: '20', lifetime: '2', cidr: '10.0.0.0/8' };
  expect(toUserDataInput(token, EMPTY_USER_DATA_FORM)).toEqual({
    uses: 20,
    expires_in_s: 7200,
    cidr: '10.0.0.0/8',
  });
});
