// The composition root: creates all components and connects them.

import { fileURLToPath } from 'node:url';
import { ensureFirstAdmin } from '../app/accounts/admin-account.ts';
import type { PasswordHasher } from '../app/auth/password-hasher.ts';
import { argon2Hasher } from '../app/auth/password-hasher.ts';
import type { App } from '../app/index.ts';
import { createApp } from '../app/index.ts';
import { ensureDataKey, ensureDefaultNetwork, ensureServiceKey } from '../app/initialize-store.ts';
import type { Ports } from '../app/ports.ts';
import type { OutputRef } from '../domain/events/signal.ts';
import type { Secret } from '../domain/secret.ts';
import type { Drivers } from '../drivers/index.ts';
import { drivers as standardDrivers } from '../drivers/index.ts';
import { generateKeyPair, validatePrivateKey } from '../drivers/transport/ssh/ssh-keys.ts';
import type { Transport } from '../drivers/transport/transport.ts';
import { KNOWN_TRANSPORTS } from '../drivers/transport/transport.ts';
import { SourceRefreshers } from '../engine/sources/source-refresher.ts';
import { replaceCertificate } from '../http/connections/node-server.ts';
import { readDashboard } from '../http/dashboard/dashboard-files.ts';
import { createHttpServer } from '../http/server.ts';
import { ConnectionPool } from '../integrations/http/connection-pool.ts';
import type { Log } from '../lib/log.ts';
import { lookupName } from '../lib/lookup-name.ts';
import { systemClock } from '../lib/time/clock.ts';
import type { Tracer } from '../lib/tracer.ts';
import { createDryRun } from '../procedures/dry-run.ts';
import { openVault } from '../secrets/keyring.ts';
import { LATEST_MIGRATION } from '../store/migrate.ts';
import type { Store } from '../store/store.ts';
import type { Certificate } from './certificates.ts';
import { toCertificateFiles, watchCertificate } from './certificates.ts';
import type { Config } from './configuration/settings.ts';
import type { MetricsService } from './metrics/metrics-service.ts';
import { startMetrics } from './metrics/metrics-service.ts';
import { version } from './process.ts';
import { resolveSecretKeySource } from './secret-keys.ts';
import type { Tracing } from './tracing/open-telemetry.ts';
import {
  createContainerManagerFactory,
  createNetworkFactory,
  createSources,
  createTransport,
} from './wiring/create-drivers.ts';
import { closeServer, listen } from './wiring/listen.ts';
import { explainStoreError, openStore } from './wiring/open-store.ts';
import { ShutdownSequence } from './wiring/shutdown-sequence.ts';
import { startAuthentication } from './wiring/start-authentication.ts';
import { DISABLED_ENGINE, startEngine } from './wiring/start-engine.ts';
import { startEvents } from './wiring/start-events.ts';
import { StoreOutageLog } from './wiring/store-outage-log.ts';

const DASHBOARD_FOLDER = fileURLToPath(new URL('../../dist/web', import.meta.url));

export interface Service {
  readonly url: string;
  /** Only at the first start, and only if the password was generated. */
  readonly firstPassword: Secret | undefined;
  readonly app: App;
  readonly store: Store;
  stop(): Promise<void>;
}

/** Replaces components of the service, for the demo and for tests. */
export interface ServiceOverrides extends Partial<Pick<Ports, 'testCredentials' | 'healthReport' | 'lookup'>> {
  readonly drivers?: Drivers;
  readonly transport?: Transport;
  readonly hasher?: PasswordHasher;
  readonly dashboardFolder?: string;
  readonly openStore?: typeof openStore;
}

interface Infrastructure {
  readonly store: Store;
  readonly tls: Certificate | undefined;
  readonly log: Log;
  readonly tracer: Tracer | null;
  readonly metrics: MetricsService;
  readonly shutdown: ShutdownSequence;
}

async function wireService(
  config: Config,
  { store, tls, log, tracer, metrics, shutdown }: Infrastructure,
  {
    transport: injectedTransport,
    drivers = standardDrivers,
    hasher = argon2Hasher(),
    dashboardFolder = DASHBOARD_FOLDER,
    ...otherPorts
  }: Omit<ServiceOverrides, 'openStore'>,
) {
  const { dataKeys } = store.reads;
  const { keys } = resolveSecretKeySource(config, (await dataKeys.listAll()).length === 0);
  await ensureDataKey({ store }, keys);
  const vault = await openVault(keys, dataKeys);
  await ensureServiceKey({ store, vault }, generateKeyPair);
  await ensureDefaultNetwork(store);
  const clock = systemClock;
  const events = await startEvents(config, { store, vault, clock, log, metrics: metrics.events }, shutdown);
  const { rejections, tail, eventSubscribers, outputNotifier } = events;
  const authenticationPorts = { store, clock, hasher, rejections, tail, metrics: metrics.logins };
  const authentication = await startAuthentication(config, authenticationPorts);

  const transport = createTransport(config, metrics.transport, injectedTransport);
  const connections = new ConnectionPool({ allowsLinkLocal: config.allow_link_local });
  shutdown.last.add(() => connections.close());
  // Only an administrator configures host sources, so link-local addresses are allowed.
  const sourceConnections = new ConnectionPool({ allowsLinkLocal: true });
  shutdown.last.add(() => sourceConnections.close());
  const factoryPorts = { store, vault, drivers, connections, etcdEndpoints: config.etcd ?? [] };
  const shared = {
    store,
    vault,
    drivers,
    openManager: createContainerManagerFactory(factoryPorts),
    openNetwork: createNetworkFactory(factoryPorts),
  };
  const sources = createSources(config.sources ?? [], drivers.host_source, sourceConnections);
  const notifyOutput = (output: OutputRef) => outputNotifier.outputSaved(output);
  const engineDependencies = { clock, log, tracer, notifyOutput, metrics: metrics.engine };
  const engine = transport
    ? await startEngine(config, shared, { ...engineDependencies, transport }, shutdown)
    : DISABLED_ENGINE;
  const hostSources = SourceRefreshers.start({ store, clock, log, osNames: drivers.os.osNames }, sources);
  shutdown.first.add(() => hostSources.stop());
  const ports: Ports = {
    ...shared,
    ...engine,
    ...events.ports,
    ...authentication.ports,
    clock,
    validatePrivateKey,
    dryRunHost: createDryRun(drivers.os),
    transports: KNOWN_TRANSPORTS,
    hostSources: new Set(sources.map(({ name }) => name)),
    refreshSource: name => hostSources.refreshSoon(name),
    lookup: lookupName,
    publicUrl: config.public_url,
    maxMembersPerReplace: config.limit_members,
    ...otherPorts,
  };
  const app = createApp(ports, authentication.authenticator, authentication.sessionAuthenticator);
  const server = createHttpServer({
    app,
    version,
    isCommissaire: config.compat === 'commissaire',
    log,
    trustProxy: config.trust_proxy ?? [],
    tracing: { tracer, readSampleRatio: config.trace_read_ratio },
    metrics: metrics.createExporter({
      store,
      healthReport: ports.healthReport,
      subscriberCount: () => eventSubscribers.size,
      eventPosition: ports.eventPosition,
    }),
    dashboard: await readDashboard(dashboardFolder),
    bodies: { bodyBytes: config.limit_body_bytes, members: config.limit_members },
    receiveTimeoutMs: config.http_receive_timeout_s * 1000,
    idleTimeoutMs: config.http_idle_timeout_s * 1000,
    connections: { max: config.limit_http_connections, isBehindProxy: (config.trust_proxy ?? []).length > 0 },
    tls,
  });
  shutdown.first.add(() => closeServer(server));
  return { server, app, ports };
}

/** The first account is created after the server listens, so a failed start does not lose its password. */
export async function startService(config: Config, log: Log, overrides: ServiceOverrides = {}): Promise<Service> {
  const shutdown = new ShutdownSequence(log);
  try {
    const components = await startComponents(config, log, overrides, shutdown);
    return { ...components, stop: () => shutdown.close() };
  } catch (error) {
    await shutdown.close();
    throw config.store.kind === 'sqlite' ? explainStoreError(error, config.data) : error;
  }
}

async function startTracing({ trace_endpoint, trace_headers }: Config, log: Log): Promise<Tracing | undefined> {
  if (trace_endpoint === undefined) return undefined;
  const { startOpenTelemetry } = await import('./tracing/open-telemetry.ts');
  return startOpenTelemetry({ endpoint: trace_endpoint, headers: trace_headers ?? {}, clock: systemClock, log });
}

async function startComponents(
  config: Config,
  log: Log,
  { openStore: open = openStore, ...overrides }: ServiceOverrides,
  shutdown: ShutdownSequence,
): Promise<Omit<Service, 'stop'>> {
  const tracing = await startTracing(config, log);
  if (tracing) shutdown.last.add(tracing.stop);
  const metrics = startMetrics(version, LATEST_MIGRATION);
  shutdown.last.add(() => metrics.stop());
  const store = await open(config, log, metrics.store);
  shutdown.last.add(() => store.close());
  const outage = new StoreOutageLog({ log, clock: systemClock, probeStore: () => store.checkWritable() });
  shutdown.last.add(() => outage.stop());
  const files = toCertificateFiles(config);
  const certificate = await files?.read();
  const tracer = tracing?.tracer ?? null;
  const infrastructure = { store, tls: certificate, log: outage.wrapLog(), tracer, metrics, shutdown };
  const { server, app, ports } = await wireService(config, infrastructure, overrides);
  const url = await listen(server, config);
  if (files && certificate) {
    metrics.setCertificateExpiry(certificate.validTo);
    const apply = (pair: Certificate) => {
      replaceCertificate(server.server, pair);
      metrics.setCertificateExpiry(pair.validTo);
    };
    shutdown.first.add(watchCertificate(certificate, { files, apply, clock: ports.clock, log }));
  }
  const firstPassword = await ensureFirstAdmin(ports, config.admin_password);
  return { url, firstPassword, app, store };
}
