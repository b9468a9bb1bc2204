import { describe, expect, test } from 'vitest';
import type { Client } from '#sdk/client.ts';
import { InvalidFieldsError } from '../ui/forms/field-errors.ts';
import { findHostAddress, hostFilterText } from './find-host.ts';

const HOSTS = new Map([
  ['127.0.0.1', 'web-1'],
  ['127.0.0.2', 'twin'],
  ['127.0.0.3', 'twin'],
]);

const client = {
  listHosts: async ({ query = {} }: Parameters<Client['listHosts']>[0] = {}) => ({
    body: [...HOSTS].flatMap(([address, hostname]) => (hostname === query.hostname ? [{ address }] : [])),
  }),
} as unknown as Pick<Client, 'listHosts'>;

const errorOf = (text: string) =>
  findHostAddress(client, text).catch((error: unknown) =>
    error instanceof InvalidFieldsError ? error.byField['host'] : error,
  );

describe('findHostAddress', () => {
  test.each([
    ['', ''],
    ['web-1', '127.0.0.1'],
    ['127.0.0.9', '127.0.0.9'],
    ['::1', '::1'],
  ])('finds the address of %j', async (text, address) => {
    expect(await findHostAddress(client, text)).toBe(address);
  });

  test.each([
    ['web-2', 'No host has the hostname web-2.'],
    ['twin', 'Several hosts have the hostname twin: 127.0.0.2, 127.0.0.3. Enter one of the addresses.'],
  ])('rejects %s', async (text, message) => {
    expect(await errorOf(text)).toBe(message);
  });
});

test.each([
  ['a unique hostname', '127.0.0.1', 'web-1'],
  ['the address of a host whose hostname is not unique', '127.0.0.2', '127.0.0.2'],
  ['the address of an unknown host', '127.0.0.9', '127.0.0.9'],
])('hostFilterText shows %s', (_title, address, text) => {
  expect(hostFilterText(address, HOSTS)).toBe(text);
});
