import type { Client } from '../../client/client.ts';
import type { ContextWish } from '../contexts/context-of.ts';
import { contextOf } from '../contexts/context-of.ts';
import { readContexts } from '../contexts/contexts-file.ts';
import { Printer } from '../output/print.ts';
import { openSession } from '../session.ts';
import type { Terminal } from '../terminal.ts';
import type { Names, Suggestion } from './suggestion.ts';

/** Nobody waits longer while typing. */
const PATIENCE_MS = 1000;
/** More than anybody reads. */
const MOST = 1000;

interface Asking {
  readonly typed: string;
  readonly signal: AbortSignal;
}

type Source = (client: Client, asking: Asking) => Promise<readonly (string | Suggestion)[]>;

const clusters: Source = async (client, { signal }) => (await client.listClusters({ signal })).body;
const hosts: Source = async (client, { typed, signal }) =>
  (await client.listHosts({ signal, query: { limit: MOST, ...(typed !== '' && { q: typed }) } })).body.map(
    ({ address, status }) => ({
      word: address,
      about: status,
    }),
  );
const operations: Source = async (client, { signal }) =>
  (await client.listOperations({ signal })).body.map(({ id, kind, cluster, state }) => ({
    word: id,
    about: `${kind} of ${cluster}, ${state}`,
  }));
const networks: Source = async (client, { signal }) => (await client.listNetworks({ signal })).body;
const containerManagers: Source = async (client, { signal }) =>
  (await client.listContainerManagers({ signal })).body;
const users: Source = async (client, { signal }) =>
  (await client.listAccounts({ signal })).body.map(({ name, role }) => ({ word: name, about: role }));
const webhooks: Source = async (client, { signal }) => (await client.listWebhooks({ signal })).body;
const tokens: Source = async (client, { signal }) =>
  (await client.listTokens({ signal })).body.map(({ name, state }) => ({ word: name, about: state }));
const drivers: Source = async (client, { signal }) => {
  const { network, container_manager, host_source } = (await client.listDrivers({ signal })).body;
  const all = [...network, ...container_manager, ...host_source];
  return [...new Map(all.map(({ type, summary }) => [type, { word: type, about: summary }])).values()];
};

/** By what arguments, and the options of the same name, are called. */
const SOURCES: ReadonlyMap<string, Source> = new Map([
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
  ['driver', drivers],
  ['type', drivers],
]);

const openClient = (terminal: Terminal, said: ContextWish): Client =>
  openSession(terminal, new Printer(terminal, 'name'), contextOf(terminal, said)).client;

export const namesFrom =
  (terminal: Terminal, said: ContextWish): Names =>
  async (what, typed) => {
    try {
      if (what === 'context')
        return Object.keys(readContexts(terminal.environment).all).map(word => ({ word, about: '' }));
      const asking = { typed, signal: AbortSignal.timeout(PATIENCE_MS) };
      const found = (await SOURCES.get(what)?.(openClient(terminal, said), asking)) ?? [];
      return found.map(each => (typeof each === 'string' ? { word: each, about: '' } : each));
    } catch {
      // Who types is not told of a service that is away.
      return [];
    }
  };
