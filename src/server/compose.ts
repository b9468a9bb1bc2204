// The composition root: the only place that knows everything. It puts the service together and takes it apart again.

import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { ensureFirstAdmin } from '../app/accounts/admin-password.ts';
import { Authenticator } from '../app/accounts/authenticate.ts';
import { argon2Hasher } from '../app/accounts/password-hasher.ts';
import { ensureDefaultNetwork } from '../app/driver-records/ensure-default-network.ts';
import { createApp } from '../app/index.ts';
import type { Secret } from '../domain/secret.ts';
import { drivers } from '../drivers/index.ts';
import { privateKeyProblem } from '../drivers/transport/ssh/private-key.ts';
import { COMMISSAIRE, NO_COMPAT } from '../http/compat.ts';
import { createHttpServer } from '../http/server.ts';
import { systemClock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { openVault } from '../secrets/keyring.ts';
import type { Store } from '../store/store.ts';
import { openStore } from './open-store.ts';
import { findSecretKey } from './secret-key.ts';
import type { Config } from './settings.ts';
import { version } from './version.ts';

/** Requests that have not even arrived by then are cut off: nothing of them was answered. */
const FINISH_WITHIN_MS = 7000;

export interface Service {
  /** Where it listens. */
  readonly url: string;
  /** The generated password of the first account, at the first start. */
  readonly firstPassword: Secret | undefined;
  readonly store: Store;
  /** Takes no new requests, finishes those in flight, and closes the store. */
  stop(): Promise<void>;
}

async function assemble(config: Config, store: Store, log: Log) {
  const { dataKeys } = store.records;
  const secretKey = findSecretKey(config, (await dataKeys.newest()) === undefined);
  const vault = await openVault(secretKey, {
    newest: () => dataKeys.newest(),
    addFirst: async key => {
      await store.transaction(records => records.dataKeys.addFirst(key));
      return (await dataKeys.newest()) ?? key;
    },
  });
  const clock = systemClock;
  const hasher = argon2Hasher();
  const authenticator = new Authenticator({
    store,
    hasher,
    clock,
    failedLoginsPerMinute: config.limit_failed_logins,
  });
  const ports = {
    store,
    clock,
    vault,
    drivers,
    hasher,
    authenticator,
    privateKeyProblem,
    hostSources: new Set<string>(),
    limits: { membersPerReplace: config.limit_members },
  };
  await ensureDefaultNetwork(store);
  await authenticator.prepare();
  const server = createHttpServer({
    app: createApp(ports),
    version,
    compat: config.compat === 'commissaire' ? COMMISSAIRE : NO_COMPAT,
    log,
    trustProxy: config.trust_proxy ?? [],
    bodyLimitBytes: config.limit_body_bytes,
    receiveTimeoutMs: config.limit_receive_s * 1000,
    tls:
      config.tls_cert && config.tls_key
        ? { cert: readFileSync(config.tls_cert, 'utf8'), key: readFileSync(config.tls_key, 'utf8') }
        : undefined,
  });
  return { server, ports };
}

async function listen(
  server: FastifyInstance,
  { listen: { host, port }, tls_cert }: Config,
): Promise<string> {
  await server.listen({ host, port });
  const address = server.server.address();
  const boundPort = typeof address === 'object' && address !== null ? address.port : port;
  const scheme = tls_cert === undefined ? 'http' : 'https';
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${boundPort}`;
}

/** Starts the service as configured. The first account is made only once it listens, so that its password is never lost. */
export async function startService(config: Config, log: Log): Promise<Service> {
  const store = await openStore(config);
  try {
    const { server, ports } = await assemble(config, store, log);
    const url = await listen(server, config);
    const firstPassword = await ensureFirstAdmin(ports, config.admin_password);
    return {
      url,
      firstPassword,
      store,
      stop: async () => {
        const cutOff = setTimeout(() => server.server.closeAllConnections(), FINISH_WITHIN_MS);
        await server.close();
        clearTimeout(cutOff);
        await store.close();
      },
    };
  } catch (error) {
    await store.close();
    throw error;
  }
}
