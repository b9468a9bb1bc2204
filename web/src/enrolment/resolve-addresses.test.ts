import { expect, test } from 'vitest';
import { ApiError } from '#sdk/errors.ts';
import { InvalidFieldsError } from '../ui/forms/field-errors.ts';
import { resolveAddresses } from './resolve-addresses.ts';

type ResolvingClient = Parameters<typeof resolveAddresses>[0];

const ADDRESSES: Readonly<Record<string, string[]>> = {
  'edge-1': ['192.0.2.7'],
  'edge-2': ['192.0.2.8', '2001:db8::8'],
  twins: ['192.0.2.1', '192.0.2.2'],
};

function createClient(status = 404): ResolvingClient {
  const problem = { type: 'about:blank', title: '', status, code: 'unresolved_name', request_id: '', detail: 'no' };
  return {
    resolveName: async request => {
      const { name = '' } = request?.query ?? {};
      const addresses = ADDRESSES[name];
      if (addresses === undefined) throw new ApiError(status, problem);
      return { status: 200, headers: new Headers(), body: { name, addresses } };
    },
  };
}

const resolve = async (...texts: readonly string[]) =>
  (await resolveAddresses(createClient(), texts)).map(({ text, address }) => `${text} ${address}`);

test('resolveAddresses resolves names and keeps addresses', async () => {
  expect(await resolve('192.0.2.9', 'edge-1', '2001:db8::1', 'edge-2')).toEqual([
    '192.0.2.9 192.0.2.9',
    'edge-1 192.0.2.7',
    '2001:db8::1 2001:db8::1',
    'edge-2 192.0.2.8',
  ]);
});

test('resolveAddresses reports all names that it cannot use', async () => {
  const error = await resolve('edge-1', 'unknown', 'twins').catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(InvalidFieldsError);
  expect(error).toMatchObject({
    byField: {
      addresses:
        'unknown has no address that this server can find. twins has several addresses (192.0.2.1, 192.0.2.2): use one of them.',
    },
  });
});

test('resolveAddresses passes on an error that does not concern one name', async () => {
  await expect(resolveAddresses(createClient(503), ['edge-9'])).rejects.toBeInstanceOf(ApiError);
});
