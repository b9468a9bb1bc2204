import { isIP, SocketAddress } from 'node:net';
import { usageError } from '../errors.ts';

/** With a letter: resolvers accept numbers as addresses, and `127.1` and `0x7f000001` are 127.0.0.1. */
const HOSTNAME = /^(?!0[xX][0-9a-fA-F]*$)(?=[^A-Za-z]*[A-Za-z])[A-Za-z0-9][A-Za-z0-9._-]{0,252}$/;

/** Returns the canonical form of the server, so that duplicates are found; `undefined` for other text. */
export function normalizeAddress(text: string): string | undefined {
  // A zone is valid on one machine only.
  const family = text.includes('%') ? 0 : isIP(text);
  if (family !== 6) return family === 4 ? text : undefined;
  return new SocketAddress({ address: text, family: 'ipv6' }).address.replace(/^::ffff:(?=\d+\.)/, '');
}

export const isHostname = (text: string): boolean => HOSTNAME.test(text);

/** A host of the command line: an address in canonical form, or a hostname. */
export function parseHost(text: string): string {
  const host = normalizeAddress(text) ?? (isHostname(text) ? text : undefined);
  if (host === undefined)
    throw usageError(`'${text}' is neither an IP address nor a hostname. List the hosts with: hostler host list`);
  return host;
}

export const collectHosts = (text: string, previous: readonly string[] | undefined): readonly string[] => [
  ...new Set([...(previous ?? []), parseHost(text)]),
];

/** Splits at commas. */
export const parseList = (text: string): readonly string[] =>
  text
    .split(',')
    .map(item => item.trim())
    .filter(item => item !== '');

export const collectHostList = (text: string, previous: readonly string[] = []): readonly string[] => [
  ...previous,
  ...parseList(text).map(parseHost),
];
