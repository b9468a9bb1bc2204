import type { Address } from '../../../domain/addresses/address.ts';
import type { SourceFacts, SourceReadError } from '../../../domain/hosts/host-facts.ts';
import { JsonClient } from '../../../integrations/http/json-client.ts';
import { toTlsFiles } from '../../option-schemas.ts';
import type { HostSource, HostSourceContext, HostSourceDriver } from '../host-source.ts';
import { readTokenFile } from '../token-file.ts';
import type { HttpOptions } from './options.ts';
import { extractFacts, optionsSchema } from './options.ts';

function expandUrl(template: string, host: Address): { path: string; query: Record<string, string> } {
  const { pathname, searchParams } = new URL(template.replaceAll('{address}', encodeURIComponent(host)));
  return { path: pathname, query: Object.fromEntries(searchParams) };
}

const MAX_CONCURRENT_REQUESTS = 8;
const TIMEOUT_MS = 5000;

/** Statuses that apply to all hosts, so the read stops. */
const FATAL_STATUSES: Readonly<Record<number, string>> = {
  401: 'the credentials in token_path or headers were rejected',
  403: 'the credentials in token_path or headers were rejected',
  429: 'too many requests',
  502: 'the service is down',
  503: 'the service is down',
  504: 'the service is down',
};

async function requestHeaders({ url, headers = {}, token_path: tokenPath }: HttpOptions) {
  if (tokenPath === undefined) return headers;
  const { protocol, origin } = new URL(url);
  if (protocol === 'http:') throw new Error(`${origin}: the token would be sent unencrypted; use an https URL`);
  return { ...headers, authorization: `Bearer ${(await readTokenFile(tokenPath)).reveal()}` };
}

async function readHost(
  client: JsonClient,
  options: HttpOptions,
  host: Address,
  signal: AbortSignal,
): Promise<SourceFacts | SourceReadError | undefined> {
  const { status, body } = await client.request({ method: 'GET', ...expandUrl(options.url, host), signal });
  if (status === 404) return undefined;
  const reason = FATAL_STATUSES[status];
  if (reason !== undefined) throw new Error(`${client.displayName} responded with ${status}: ${reason}`);
  if (status !== 200) return { readError: `${client.displayName} responded with ${status} for ${host}` };
  if (body === undefined) return { readError: `${client.displayName} did not return JSON for ${host}` };
  const noFacts = `${client.displayName} returned none of the facts for ${host}; check the response and the option fields`;
  return extractFacts(body, options) ?? { readError: noFacts };
}

function openHttp({ options, connections }: HostSourceContext<HttpOptions>): HostSource {
  return {
    async read(hosts) {
      const client = new JsonClient({
        url: new URL(options.url).origin,
        files: toTlsFiles(options),
        headers: await requestHeaders(options),
        connections,
        timeoutMs: TIMEOUT_MS,
      });
      const results = new Map<Address, SourceFacts | SourceReadError>();
      const remainingHosts = hosts.values();
      // If one request gets no response, all are aborted: the others would also wait until their timeout.
      const controller = new AbortController();
      const readNext = async () => {
        for (const host of remainingHosts) {
          const facts = await readHost(client, options, host, controller.signal);
          if (facts) results.set(host, facts);
        }
      };
      try {
        await Promise.all(Array.from({ length: Math.min(MAX_CONCURRENT_REQUESTS, hosts.length) }, readNext));
      } finally {
        controller.abort();
      }
      const [first] = results.values();
      const allFailed = results.size === hosts.length && [...results.values()].every(facts => 'readError' in facts);
      if (allFailed && first && 'readError' in first) throw new Error(first.readError);
      return results;
    },
  };
}

export const http: HostSourceDriver = {
  type: 'http',
  summary: 'Web service that returns JSON for the address of a host',
  options: optionsSchema,
  open: openHttp,
};
