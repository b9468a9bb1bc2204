import type { Static } from 'typebox';
import type { driverRoutes } from '../../contract/routes/driver-records.ts';
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

interface LookupOptions {
  readonly prefix: string;
  readonly signal: AbortSignal;
}

type NameSource = (client: Client, options: LookupOptions) => Promise<readonly (string | Suggestion)[]>;

const clusters: NameSource = async (client, { signal }) => (await client.listClusters({ signal })).body;
const hosts: NameSource = async (client, { prefix, signal }) =>
  (await client.listHosts({ signal, query: { limit: MAX_NAMES, ...(prefix !== '' && { q: prefix }) } })).body.map(
    ({ address, status }) => ({ word: address, description: status }),
  );
const operations: NameSource = async (client, { signal }) =>
  (await client.listOperations({ signal })).body.map(({ id, kind, cluster, state }) => ({
    word: id,
    description: `${kind} of ${cluster}, ${state}`,
  }));
const networks: NameSource = async (client, { signal }) => (await client.listNetworks({ signal })).body;
const containerManagers: NameSource = async (client, { signal }) =>
  (await client.listContainerManagers({ signal })).body;
const users: NameSource = async (client, { signal }) =>
  (await client.listAccounts({ signal })).body.map(({ name, role }) => ({ word: name, description: role }));
const webhooks: NameSource = async (client, { signal }) => (await client.listWebhooks({ signal })).body;
const tokens: NameSource = async (client, { signal }) =>
  (await client.listTokens({ signal })).body.map(({ name, state }) => ({ word: name, description: state }));
type Drivers = Static<typeof driverRoutes.listDrivers.response>;

const drivers =
  (select: (all: Drivers) => readonly { readonly type: string; readonly summary?: string }[]): NameSource =>
  async (client, { signal }) => {
    const selected = select((await client.listDrivers({ signal })).body);
    return [
      ...new Map(selected.map(({ type, summary = '' }) => [type, { word: type, description: summary }])).values(),
    ];
  };

const SOURCES: ReadonlyMap<string, NameSource> = new Map([
  ['cluster', clusters],
  ['address', hosts],
  ['addresses', hosts],
  ['host', hosts],
  ['hosts', hosts],
  ['operation', operations],
  ['network', networks],
  ['container-manager', containerManagers],
  ['user', users],
  ['actor', users],
  ['webhook', webhooks],
  ['token', tokens],
  ['account', users],
  ['driver', drivers(all => Object.values(all).flat())],
  ['network-type', drivers(({ network }) => network)],
  ['container-manager-type', drivers(all => all.container_manager)],
  ['transport', drivers(({ transport }) => transport)],
]);

const openClient = (terminal: Terminal, flags: ContextFlags): Client =>
  openSession(terminal, new Printer(terminal, 'name'), resolveContext(terminal, flags)).client;

export const createNameLookup =
  (terminal: Terminal, flags: ContextFlags): NameLookup =>
  async (kind, prefix) => {
    try {
      if (kind === 'context')
        return Object.keys(readContexts(terminal.environment).all).map(word => ({ word, description: '' }));
      if (kind === 'event') return EVENT_TYPES.map(word => ({ word, description: '' }));
      const options = { prefix, signal: AbortSignal.timeout(TIMEOUT_MS) };
      const found = (await SOURCES.get(kind)?.(openClient(terminal, flags), options)) ?? [];
      return found.map(name => (typeof name === 'string' ? { word: name, description: '' } : name));
    } catch {
      return [];
    }
  };
