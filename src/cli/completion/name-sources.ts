import { EVENT_TYPES } from '../../domain/vocabulary.ts';
import type { Client } from '../../sdk/client.ts';
import { readContexts } from '../contexts/contexts-file.ts';
import type { ContextFlags } from '../contexts/resolve-context.ts';
import { resolveContext } from '../contexts/resolve-context.ts';
import { Printer } from '../output/printer.ts';
import { openSession } from '../session.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { NameLookup, Suggestion } from './suggest.ts';

/** Completion must not block typing for longer. */
const TIMEOUT_MS = 1000;
const MAX_NAMES = 1000;

type NameSource = (client: Client, prefix: string) => Promise<readonly (string | Suggestion)[]>;

/** Offers the hostname of a host, and the address if the user types it or the hostname is not known. */
const hosts: NameSource = async (client, prefix) => {
  const query = { limit: MAX_NAMES, q: prefix === '' ? undefined : prefix, extended: true };
  const { body } = await client.listHosts({ query });
  return body.map(({ address, hostname, status }) =>
    hostname && (prefix === '' || !address.startsWith(prefix))
      ? { word: hostname, description: `${address}, ${status}` }
      : { word: address, description: hostname ? `${hostname}, ${status}` : status },
  );
};

const operations: NameSource = async client => {
  const { body } = await client.listOperations();
  return body.map(({ id, kind, cluster, state }) => ({ word: id, description: `${kind} of ${cluster}, ${state}` }));
};

const users: NameSource = async client =>
  (await client.listAccounts()).body.map(({ name, role }) => ({ word: name, description: role }));

const tokens: NameSource = async client =>
  (await client.listTokens()).body.map(({ name, state }) => ({ word: name, description: state }));

type Drivers = Awaited<ReturnType<Client['listDrivers']>>['body'];

/** Drivers of all kinds, or of one. Kinds can have drivers of the same type. */
const drivers =
  (kind?: keyof Drivers): NameSource =>
  async client => {
    const { body } = await client.listDrivers();
    const selected = kind === undefined ? Object.values(body).flat() : body[kind];
    return [...new Map(selected.map(({ type, summary }) => [type, { word: type, description: summary }])).values()];
  };

const SOURCES: ReadonlyMap<string, NameSource> = new Map([
  ['cluster', async client => (await client.listClusters()).body],
  ['host', hosts],
  ['hosts', hosts],
  ['operation', operations],
  ['network', async client => (await client.listNetworks()).body],
  ['container-manager', async client => (await client.listContainerManagers()).body],
  ['user', users],
  ['actor', users],
  ['account', users],
  ['webhook', async client => (await client.listWebhooks()).body],
  ['token', tokens],
  ['driver', drivers()],
  ['network-type', drivers('network')],
  ['container-manager-type', drivers('container_manager')],
  ['transport', drivers('transport')],
]);

async function lookUpNames(terminal: Terminal, flags: ContextFlags, kind: string, prefix: string) {
  if (kind === 'context') return Object.keys(readContexts(terminal.environment).all);
  if (kind === 'event') return EVENT_TYPES;
  const source = SOURCES.get(kind);
  if (source === undefined) return [];
  const context = resolveContext(terminal, flags);
  const { client } = openSession(
    terminal,
    new Printer(terminal, { name: 'name' }),
    context,
    AbortSignal.timeout(TIMEOUT_MS),
  );
  return source(client, prefix);
}

/** Returns no names instead of errors. */
export const createNameLookup =
  (terminal: Terminal, flags: ContextFlags): NameLookup =>
  async (kind, prefix) => {
    const found = await lookUpNames(terminal, flags, kind, prefix).catch(() => []);
    return found.map(name => (typeof name === 'string' ? { word: name, description: '' } : name));
  };
