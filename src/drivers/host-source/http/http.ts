import type { Static } from 'typebox';
import type { Connections } from '../../../clients/connections.ts';
import { JsonServer } from '../../../clients/json-server.ts';
import { reading } from '../../../clients/reading.ts';
import type { Address } from '../../../domain/addresses/address.ts';
import type { SourceFacts, Unread } from '../../../domain/hosts/source-facts.ts';
import { tlsFilesOf } from '../../option-fields.ts';
import type { HostSource, HostSourceDriver } from '../host-source.ts';
import { tokenIn } from '../token-file.ts';
import { factsAt } from './facts-at.ts';
import { options } from './options.ts';
import { targetOf } from './url-template.ts';

const AT_ONCE = 8;
const TIMEOUT_MS = 5000;

const optionsOf = reading('the options of an HTTP source', options);

type Options = Static<typeof options>;

/** These will be no better for the next host. */
const REFUSALS: Readonly<Record<number, string>> = {
  401: 'the credentials in token_path or headers were rejected',
  403: 'the credentials in token_path or headers were rejected',
  429: 'too many requests',
  502: 'the service is down',
  503: 'the service is down',
  504: 'the service is down',
};

async function headersOf({ url, headers = {}, token_path: tokenPath }: Options) {
  if (tokenPath === undefined) return headers;
  const { protocol, origin } = new URL(url);
  if (protocol === 'http:')
    throw new Error(`${origin}: the token would be sent unencrypted; use an https URL`);
  return { ...headers, authorization: `Bearer ${(await tokenIn(tokenPath)).reveal()}` };
}

async function serverOf(given: Options, connections: Connections): Promise<JsonServer> {
  return new JsonServer({
    url: new URL(given.url).origin,
    files: tlsFilesOf(given),
    headers: await headersOf(given),
    connections,
    timeoutMs: TIMEOUT_MS,
  });
}

/** What the server tells of a host; `undefined`: it does not know it. */
async function ask(
  server: JsonServer,
  given: Options,
  host: Address,
  signal: AbortSignal,
): Promise<SourceFacts | Unread | undefined> {
  const { status, body } = await server.call({ method: 'GET', ...targetOf(given.url, host), signal });
  if (status === 404) return undefined;
  const refusal = REFUSALS[status];
  if (refusal !== undefined) throw new Error(`${server.name} responded with ${status}: ${refusal}`);
  if (status !== 200) return { unread: `${server.name} responded with ${status} for ${host}` };
  if (body === undefined) return { unread: `${server.name} did not return JSON for ${host}` };
  const nothing = `${server.name} returned none of the facts for ${host}; check the response and the option fields`;
  return factsAt(body, given) ?? { unread: nothing };
}

function openHttp(given: Options, connections: Connections): HostSource {
  return {
    async read(hosts) {
      const server = await serverOf(given, connections);
      const told = new Map<Address, SourceFacts | Unread>();
      const waiting = hosts.values();
      // A server that does not answer one of them ends all: the others would wait in vain too, each for its own limit of time.
      const failed = new AbortController();
      const askOneByOne = async () => {
        for (const host of waiting) {
          const facts = await ask(server, given, host, failed.signal);
          if (facts) told.set(host, facts);
        }
      };
      try {
        await Promise.all(Array.from({ length: Math.min(AT_ONCE, hosts.length) }, askOneByOne));
      } finally {
        failed.abort();
      }
      const [first] = told.values();
      const isHopeless = told.size === hosts.length && [...told.values()].every(facts => 'unread' in facts);
      if (isHopeless && first && 'unread' in first) throw new Error(first.unread);
      return told;
    },
  };
}

export const http: HostSourceDriver = {
  type: 'http',
  summary: 'Web service that returns JSON for the address of a host',
  options,
  open: record => openHttp(optionsOf(record.options), record.connections),
};
