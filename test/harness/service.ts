// The real service on a free port of loopback, in this process, with a store of its own.

import { randomBytes } from 'node:crypto';
import type { TSchema } from 'typebox';
import type { Problem } from '../../src/contract/fields.ts';
import { routes } from '../../src/contract/index.ts';
import type { RouteDefinition } from '../../src/contract/route-definition.ts';
import { getErrorStatuses } from '../../src/contract/route-definition.ts';
import type { Address } from '../../src/domain/addresses/address.ts';
import { parseAddress } from '../../src/domain/addresses/address.ts';
import type { HostStatus, Role } from '../../src/domain/vocabulary.ts';
import type { Log } from '../../src/lib/log.ts';
import { createLog } from '../../src/lib/log.ts';
import { compileSchema } from '../../src/lib/schema.ts';
import type { Client } from '../../src/sdk/client.ts';
import { createClient } from '../../src/sdk/client.ts';
import { loadConfig } from '../../src/server/configuration/config.ts';
import type { ServiceOverrides } from '../../src/server/start-service.ts';
import { startService } from '../../src/server/start-service.ts';
import type { Store } from '../../src/store/store.ts';
import { basic } from './http/basic.ts';
import { PRIVATE_KEY } from './keys.ts';
import type { StoreKind, StorePlace } from './stores/stores.ts';
import { makeStorePlace } from './stores/stores.ts';

export const ADMIN_PASSWORD = 'correct horse';

/** One for all services of this process: each log listens to where it writes. */
const silent = createLog('silent', false);

export interface Response<Body = unknown> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
  readonly text: string;
}

export interface RequestOptions {
  /** `user:password`; `null` sends no credentials. */
  readonly as?: string | null;
  readonly body?: unknown;
  /** Sent as it is, instead of `body`. */
  readonly raw?: string | Uint8Array;
  readonly headers?: Record<string, string>;
}

export { basic };

const rows: readonly RouteDefinition[] = Object.values(routes);
const patterns = rows.flatMap(row =>
  [row.path, ...(row.aliases ?? [])].map(path => ({
    row,
    pattern: new RegExp(`^${path.replace(/\/$/, '').replace(/\{\w+\}/g, '[^/]+')}/?$`),
  })),
);

/** The same schema, which refuses fields that it does not name: nothing else would notice what a view lets through. */
const closed = (schema: TSchema): TSchema =>
  JSON.parse(JSON.stringify(schema), (_key, part) =>
    part?.type === 'object' && part.properties && part.additionalProperties === undefined
      ? { ...part, additionalProperties: false }
      : part,
  );

const checks = new Map(rows.map(row => [row, compileSchema(closed(row.response))]));

/** Every answer must be one that the row of its route foresees, and so the OpenAPI document. */
function expectForeseen(method: string, path: string, { status, body }: Response): void {
  const wanted = method === 'HEAD' ? 'GET' : method;
  const { row } = patterns.find(each => each.row.method === wanted && each.pattern.test(path)) ?? {};
  if (row === undefined) return;
  const foreseen: readonly number[] = [...row.statuses, ...getErrorStatuses(row)];
  if (!foreseen.includes(status))
    throw new Error(`${method} ${path} answered ${status}, which its row does not foresee`);
  if (status >= 300 || method === 'HEAD' || row.mediaType !== undefined) return;
  const errors = checks.get(row)?.(body) ?? [];
  if (errors.length > 0)
    throw new Error(`${method} ${path} answered what its row does not foresee: ${JSON.stringify(errors)}`);
}

export class TestService {
  readonly url: string;
  readonly store: Store;
  readonly place: StorePlace;
  readonly client: Client;
  readonly stop: () => Promise<void>;

  constructor(url: string, store: Store, place: StorePlace, stop: () => Promise<void>) {
    this.url = url;
    this.store = store;
    this.place = place;
    this.stop = stop;
    this.client = this.clientOf('admin', ADMIN_PASSWORD);
  }

  clientOf(user: string, password: string): Client {
    return createClient({ baseUrl: this.url, user, password });
  }

  async request<Body = unknown>(
    method: string,
    path: string,
    options: RequestOptions = {},
  ): Promise<Response<Body>> {
    const { as = `admin:${ADMIN_PASSWORD}`, body, raw, headers } = options;
    const text = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    // As bytes: for text, fetch would add a content type of its own.
    const payload = typeof text === 'string' ? Buffer.from(text) : text;
    const response = await fetch(this.url + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(as !== null && { authorization: basic(as) }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(payload !== undefined && { body: payload }),
    });
    const answer = await response.text();
    const isJson = /json/.test(response.headers.get('content-type') ?? '') && answer !== '';
    const answered = {
      status: response.status,
      headers: response.headers,
      body: (isJson ? JSON.parse(answer) : undefined) as Body,
      text: answer,
    };
    expectForeseen(method, new URL(response.url).pathname, answered);
    return answered;
  }

  get = <Body = unknown>(path: string, options?: RequestOptions) => this.request<Body>('GET', path, options);
  put = <Body = unknown>(path: string, body?: unknown, options?: RequestOptions) =>
    this.request<Body>('PUT', path, { ...options, body });
  delete = <Body = unknown>(path: string, options?: RequestOptions) =>
    this.request<Body>('DELETE', path, options);

  /** The code of a refusal, with its status: `409 in_use`. */
  async refusal(response: Promise<Response>): Promise<string> {
    const { status, body } = await response;
    return `${status} ${(body as Problem | undefined)?.code}`;
  }

  /** Enrols hosts and gives them a status that only the engine could. */
  async makeHosts(status: HostStatus, cluster: string | undefined, ...addresses: string[]): Promise<void> {
    for (const address of addresses) {
      await this.put(`/api/v0/host/${address}`, { ssh_priv_key: PRIVATE_KEY, ...(cluster && { cluster }) });
    }
    const parsed = addresses.map(text => parseAddress(text) as Address);
    await this.store.transaction(records => records.hosts.setStatus(parsed, status));
  }

  /** Makes an account and answers its credentials. */
  async makeAccount(name: string, role: Role, password = `password of ${name}`): Promise<string> {
    await this.put(`/api/v0/user/${name}`, { password, role });
    return `${name}:${password}`;
  }
}

export async function startTestService(
  kind: StoreKind,
  settings: Readonly<Record<string, string>> = {},
  { log = silent, ...overrides }: ServiceOverrides & { readonly log?: Log } = {},
): Promise<TestService> {
  const place = await makeStorePlace(kind);
  const config = loadConfig({
    environment: {
      HOSTLER_LISTEN: '127.0.0.1:0',
      HOSTLER_DATA: place.folder,
      HOSTLER_STORE: place.location,
      HOSTLER_ADMIN_PASSWORD: ADMIN_PASSWORD,
      HOSTLER_SECRET_KEY: randomBytes(32).toString('base64'),
      // Records in tests have made-up addresses: nobody may connect to them.
      HOSTLER_TRANSPORT: 'none',
      ...settings,
    },
    flags: {},
  });
  const service = await startService(config, log, overrides);
  return new TestService(service.url, service.store, place, async () => {
    await service.stop();
    await place.remove();
  });
}
