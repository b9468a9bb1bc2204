import { expect, test } from 'vitest';
import { toUserDataInput } from './user-data-input.ts';

const EMPTY_FORM = { uses: '', expires_in_s: '', lifetime_unit: 'hours', cidr: '', url: '', remote_user: '', ca: '' };

function createForm(values: Partial<typeof EMPTY_FORM>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries({ ...EMPTY_FORM, ...values })) form.set(name, value);
  return form;
}

test.each<[string, Partial<typeof EMPTY_FORM>, object]>([
  ['no empty values', {}, {}],
  ['the server URL', { url: ' https://hostler.example ' }, { url: 'https://hostler.example' }],
  ['the SSH user', { remote_user: 'core' }, { remote_user: 'core' }],
  ['the CA certificates', { ca: '-----BEGIN\n' }, { ca: '-----BEGIN' }],
])('toUserDataInput sends %s', (_title, values, input) => {
  expect(toUserDataInput(createForm(values))).toEqual(input);
});

test('toUserDataInput sends the limits of the token', () => {
  const form = createForm({ uses: '20', expires_in_s: '2', cidr: '10.0.0.0/8' });
  expect(toUserDataInput(form)).toEqual({
    uses: 20,
    expires_in_s: 7200,
    cidr: '10.0.0.0/8',
  });
});
