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

const createError = (status: number, code: string) =>
  new ApiError(status, { type: 'about:blank', title: '', status, code, request_id: '', detail: 'no' });

/** Rejects the first requests because of the limit. */
function createClient({ status = 404, code = 'unresolved_name', rejected = 0 } = {}): ResolvingClient {
  let requests = 0;
  return {
    resolveName: async request => {
      const { name = '' } = request?.query ?? {};
      const addresses = ADDRESSES[name];
      requests += 1;
      if (requests <= rejected) throw createError(429, 'too_many_requests');
      if (addresses === undefined) throw createError(status, code);
      return { status: 200, headers: new Headers(), body: { name, addresses } };
    },
  };
}

const OPTIONS = { signal: new AbortController().signal, retryMs: 0 };

const resolve = async (...texts: readonly string[]) =>
  (await resolveAddresses(createClient(), texts, OPTIONS)).map(({ text, address }) => `${text} ${address}`);

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
  await expect(resolveAddresses(createClient({ status: 503 }), ['edge-9'], OPTIONS)).rejects.toBeInstanceOf(ApiError);
});

test('resolveAddresses waits if the server has resolved too many names', async () => {
  const client = createClient({ rejected: 2 });
  expect(await resolveAddresses(client, ['edge-1'], OPTIONS)).toEqual([{ text: 'edge-1', address: '192.0.2.7' }]);
});

test('resolveAddresses names an invalid name as such', async () => {
  const error = await resolveAddresses(createClient({ status: 400, code: 'invalid_query' }), ['127.1'], OPTIONS).catch(
    (reason: unknown) => reason,
  );
  expect(error).toMatchObject({ byField: { addresses: '127.1 is neither an address nor a DNS name.' } });
});

test('resolveAddresses stops when the user cancels', async () => {
  const abort = new AbortController();
  abort.abort();
  const resolving = resolveAddresses(createClient(), ['edge-1'], { ...OPTIONS, signal: abort.signal });
  await expect(resolving).rejects.toThrow();
});
