// The composition root: the only place that knows everything. It puts the service together and takes it apart again.

import { fileURLToPath } from 'node:url';
import { ensureFirstAdmin } from '../app/accounts/admin-password.ts';
import type { PasswordHasher } from '../app/accounts/password-hasher.ts';
import { argon2Hasher } from '../app/accounts/password-hasher.ts';
import { ensureDefaultNetwork } from '../app/driver-records/ensure-default-network.ts';
import { ensureIdentity } from '../app/identity/ensure-identity.ts';
import type { App } from '../app/index.ts';
import { createApp } from '../app/index.ts';
import { ensureDataKey } from '../app/keys/ensure-data-key.ts';
import type { Ports } from '../app/ports.ts';
import type { Secret } from '../domain/secret.ts';
import type { Drivers } from '../drivers/index.ts';
import { drivers as standardDrivers } from '../drivers/index.ts';
import { generateKeyPair, validatePrivateKey } from '../drivers/transport/ssh/ssh-keys.ts';
import type { Transport } from '../drivers/transport/transport.ts';
import { KNOWN_TRANSPORTS } from '../drivers/transport/transport.ts';
import { measureTransport } from '../drivers/transport/transport-decorators.ts';
import { SourceRefreshers } from '../engine/sources/source-refresher.ts';
import { COMMISSAIRE, NO_COMPAT } from '../http/compat.ts';
import { renewCertificate } from '../http/connections/node-server.ts';
import { readDashboard } from '../http/dashboard/read-dashboard.ts';
import { createHttpServer } from '../http/server.ts';
import { ConnectionPool } from '../integrations/http/connection-pool.ts';
import type { Log } from '../lib/log.ts';
import { systemClock } from '../lib/time/clock.ts';
import type { Tracer } from '../lib/tracer.ts';
import { createDryRun } from '../procedures/dry-run.ts';
import { openVault } from '../secrets/keyring.ts';
import { NEWEST_SCHEMA } from '../store/migrate.ts';
import type { Store } from '../store/store.ts';
import type { Certificate } from './certificates/certificate-files.ts';
import { certificateFilesOf } from './certificates/certificate-files.ts';
import { watchCertificate } from './certificates/watch-certificate.ts';
import type { Config } from './configuration/settings.ts';
import { secretKeyPlace } from './keys/secret-key.ts';
import type { Metrics } from './metrics/metrics.ts';
import { startMetrics } from './metrics/metrics.ts';
import { GIVEN_TRANSPORT } from './metrics/transport-metrics.ts';
import { Closing } from './parts/closing.ts';
import { startHostPorts, WITHOUT_HOSTS } from './parts/host-ports.ts';
import { openManagerWith, openNetworkWith } from './parts/open-drivers.ts';
import { openSources } from './parts/open-sources.ts';
import { openStore } from './parts/open-store.ts';
import { listen, stopServing } from './parts/serving.ts';
import { startEvents } from './parts/start-events.ts';
import { startLogins } from './parts/start-logins.ts';
import { StoreOutage } from './parts/store-outage.ts';
import { storeProblem } from './parts/store-problem.ts';
import { transportOf } from './parts/transport-of.ts';
import { startTracing } from './tracing/start-tracing.ts';
import { version } from './version.ts';

/** Where `tools/build/web.js` puts it. */
const DASHBOARD_FOLDER = fileURLToPath(new URL('../../dist/web', import.meta.url));

export interface Service {
  /** Where it listens. */
  readonly url: string;
  /** The generated password of the first account, at the first start. */
  readonly firstPassword: Secret | undefined;
  readonly app: App;
  readonly store: Store;
  /** Takes no new requests, finishes those in flight, and closes the store. */
  stop(): Promise<void>;
}

/** What is put in the place of what the service would take itself. */
export interface Overrides extends Partial<Pick<Ports, 'tryAccess' | 'watchReport'>> {
  readonly drivers?: Drivers;
  /** How hosts are reached, whatever the configuration says. */
  readonly transport?: Transport;
  /** What passwords are hashed by. */
  readonly hasher?: PasswordHasher;
  /** Where the built dashboard is. */
  readonly dashboardFolder?: string;
  readonly openStore?: typeof openStore;
}

async function assemble(
  config: Config,
  store: Store,
  {
    tls,
    log,
    tracer,
    metrics,
    overrides,
    closing,
  }: {
    tls: Certificate | undefined;
    log: Log;
    tracer: Tracer | null;
    metrics: Metrics;
    overrides: Omit<Overrides, 'openStore'>;
    closing: Closing;
  },
) {
  const { dataKeys } = store.reads;
  const { keys } = secretKeyPlace(config, (await dataKeys.all()).length === 0);
  await ensureDataKey({ store }, keys);
  const vault = await openVault(keys, dataKeys);
  await ensureIdentity({ store, vault }, generateKeyPair);
  await ensureDefaultNetwork(store);
  const clock = systemClock;
  const events = await startEvents(config, { store, vault, clock, log, meter: metrics.events }, closing);
  const {
    transport: given,
    drivers = standardDrivers,
    hasher = argon2Hasher(),
    dashboardFolder,
    ...otherPorts
  } = overrides;
  const logins = await startLogins(config, { store, clock, hasher, events, meter: metrics.logins });

  const transport = given
    ? measureTransport(GIVEN_TRANSPORT, given, metrics.transport)
    : transportOf(config, metrics.transport);
  const connections = new ConnectionPool({ allowsLinkLocal: config.allow_link_local });
  closing.last.add(() => connections.close());
  // Host sources come from the configuration, and not from callers.
  const sourceConnections = new ConnectionPool({ allowsLinkLocal: true });
  closing.last.add(() => sourceConnections.close());
  const opening = { store, vault, drivers, connections, etcdEndpoints: config.etcd ?? [] };
  const shared = {
    ...{ store, vault, drivers },
    openManager: openManagerWith(opening),
    openNetwork: openNetworkWith(opening),
  };
  const sources = openSources(config.sources ?? [], drivers.host_source, sourceConnections);
  const { outputSaved: notifyOutput } = events;
  const outside = { clock, log, tracer, notifyOutput, metrics: metrics.engine };
  const hostPorts = transport
    ? await startHostPorts(config, shared, { ...outside, transport }, closing)
    : WITHOUT_HOSTS;
  const hostSources = SourceRefreshers.start({ store, clock, log, osNames: drivers.os.osNames }, sources);
  closing.first.add(() => hostSources.stop());
  const ports: Ports = {
    ...shared,
    ...hostPorts,
    ...events.ports,
    ...logins.ports,
    clock,
    privateKeyProblem: validatePrivateKey,
    foresee: createDryRun(drivers.os),
    transports: KNOWN_TRANSPORTS,
    hostSources: new Set(sources.map(({ name }) => name)),
    readSource: name => hostSources.refreshSoon(name),
    publicUrl: config.public_url,
    limits: { membersPerReplace: config.limit_members, hostsAtOnce: config.limit_bulk_hosts },
    ...otherPorts,
  };
  const app = createApp(ports, logins.authenticator, logins.sessionLogins);
  const server = createHttpServer({
    app,
    version,
    compat: config.compat === 'commissaire' ? COMMISSAIRE : NO_COMPAT,
    log,
    trustProxy: config.trust_proxy ?? [],
    tracing: { tracer, readsShare: config.trace_read_ratio },
    metrics: metrics.over({
      store,
      watchReport: ports.watchReport,
      eventReaders: events.readersNow,
      eventPosition: ports.eventPosition,
    }),
    dashboard: await readDashboard(dashboardFolder ?? DASHBOARD_FOLDER),
    bodies: {
      bodyBytes: config.limit_body_bytes,
      members: config.limit_members,
      bulkHosts: config.limit_bulk_hosts,
    },
    receiveTimeoutMs: config.http_receive_timeout_s * 1000,
    idleTimeoutMs: config.http_idle_timeout_s * 1000,
    connections: {
      most: config.limit_http_connections,
      isBehindProxy: (config.trust_proxy ?? []).length > 0,
    },
    tls,
  });
  closing.first.add(() => stopServing(server));
  return { server, app, ports };
}

/** Starts the service as configured. The first account is created only when it listens, so that its password is never lost. */
export async function startService(config: Config, log: Log, overrides: Overrides = {}): Promise<Service> {
  const closing = new Closing(log);
  try {
    const parts = await startParts(config, { log, overrides, closing });
    return { ...parts, stop: () => closing.close() };
  } catch (error) {
    await closing.close();
    throw config.store.kind === 'sqlite' ? storeProblem(error, config.data) : error;
  }
}

async function startParts(
  config: Config,
  { log, overrides, closing }: { log: Log; overrides: Overrides; closing: Closing },
): Promise<Omit<Service, 'stop'>> {
  const { openStore: open = openStore, ...others } = overrides;
  const tracing = await startTracing(config, { clock: systemClock, log });
  closing.last.add(tracing.stop);
  const metrics = startMetrics({ version, schema: NEWEST_SCHEMA });
  closing.last.add(() => metrics.stop());
  const store = await open(config, log, metrics.store);
  closing.last.add(() => store.close());
  const outage = new StoreOutage({ log, clock: systemClock, ask: () => store.checkWritable() });
  closing.last.add(() => outage.stop());
  const files = certificateFilesOf(config);
  const certificate = await files?.read();
  const { server, app, ports } = await assemble(config, store, {
    tls: certificate,
    log: outage.quietLog(),
    tracer: tracing.tracer,
    overrides: others,
    metrics,
    closing,
  });
  const url = await listen(server, config);
  if (files && certificate) {
    metrics.certificateUsed(certificate.validTo);
    const renew = (pair: Certificate) => {
      renewCertificate(server.server, pair);
      metrics.certificateUsed(pair.validTo);
    };
    closing.first.add(watchCertificate(certificate, { files, renew, clock: ports.clock, log }));
  }
  const firstPassword = await ensureFirstAdmin(ports, config.admin_password);
  return { url, firstPassword, app, store };
}
