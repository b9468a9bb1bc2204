import type { Static } from 'typebox';
import type { Client } from '../../client/client.ts';
import type { driverRoutes } from '../../contract/routes/drivers.ts';
import { EVENT_TYPES } from '../../domain/vocabulary.ts';
import type { ContextWish } from '../contexts/context-of.ts';
import { contextOf } from '../contexts/context-of.ts';
import { readContexts } from '../contexts/contexts-file.ts';
import { Printer } from '../output/printer.ts';
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
type Drivers = Static<typeof driverRoutes.listDrivers.answer>;

const drivers =
  (ofKind: (all: Drivers) => readonly { readonly type: string; readonly summary?: string }[]): Source =>
  async (client, { signal }) => {
    const found = ofKind((await client.listDrivers({ signal })).body);
    return [
      ...new Map(found.map(({ type, summary = '' }) => [type, { word: type, about: summary }])).values(),
    ];
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
  ['account', users],
  ['driver', drivers(all => Object.values(all).flat())],
  ['network-type', drivers(({ network }) => network)],
  ['container-manager-type', drivers(all => all.container_manager)],
  ['transport', drivers(({ transport }) => transport)],
]);

const openClient = (terminal: Terminal, said: ContextWish): Client =>
  openSession(terminal, new Printer(terminal, 'name'), contextOf(terminal, said)).client;

export const namesFrom =
  (terminal: Terminal, said: ContextWish): Names =>
  async (what, typed) => {
    try {
      if (what === 'context')
        return Object.keys(readContexts(terminal.environment).all).map(word => ({ word, about: '' }));
      if (what === 'event') return EVENT_TYPES.map(word => ({ word, about: '' }));
      const asking = { typed, signal: AbortSignal.timeout(PATIENCE_MS) };
      const found = (await SOURCES.get(what)?.(openClient(terminal, said), asking)) ?? [];
      return found.map(each => (typeof each === 'string' ? { word: each, about: '' } : each));
    } catch {
      // Who types is not told of a service that is away.
      return [];
    }
  };
