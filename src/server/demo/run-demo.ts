import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { App } from '../../app/index.ts';
import { LOCAL_ACTOR } from '../../domain/accounts/account.ts';
import type { Address } from '../../domain/addresses/address.ts';
import { AppError } from '../../domain/errors.ts';
import { parseLabelFilter } from '../../domain/hosts/host.ts';
import { DEFAULT_NETWORK, toRecordName } from '../../domain/record-name.ts';
import { Secret } from '../../domain/secret.ts';
import { generateKeyPair } from '../../drivers/transport/ssh/ssh-keys.ts';
import { OperatorError } from '../../lib/errors.ts';
import { createLog } from '../../lib/log.ts';
import { systemClock } from '../../lib/time/clock.ts';
import { SIMULATORS } from '../../simulator/index.ts';
import { SimulatedFleet } from '../../simulator/simulated-fleet.ts';
import type { ConfigSources } from '../configuration/config.ts';
import { loadConfig } from '../configuration/config.ts';
import { flagName } from '../configuration/settings.ts';
import { printLine } from '../process.ts';
import { stopOnSignals } from '../serve.ts';
import type { Service } from '../start-service.ts';
import { startService } from '../start-service.ts';
import type { DemoCluster } from './demo-fleet.ts';
import { DEMO_CLUSTERS, FAULTY_HOSTS, FIRST_RING } from './demo-fleet.ts';
import { runScenario } from './demo-scenario.ts';

const PASSWORD = 'demo';
/** Short, so that changes are visible within a minute. */
const CHECK_INTERVAL_S = '10';

/** 127.81.0.9 has failed and uses the only slot of the default policy. */
const EXCLUDE_UNHEALTHY = JSON.stringify({ policy: { unhealthy: 'exclude', max_unavailable: 4 } });

function assertOk<T>(result: T | AppError): T {
  if (result instanceof AppError) throw new Error(result.detail);
  return result;
}

async function createDemoCluster(app: App, fleet: SimulatedFleet, { name, subnet, ...spec }: DemoCluster, key: Secret) {
  const manager = spec.containerManager ? toRecordName(spec.containerManager) : null;
  const cluster = toRecordName(name);
  if (manager) {
    const request = { name: manager, type: 'trivial', options: {}, expected: undefined };
    assertOk(await app.containerManagers.put(LOCAL_ACTOR, request));
  }
  const request = { name: cluster, network: DEFAULT_NETWORK, containerManager: manager, expected: undefined };
  assertOk(await app.clusters.put(LOCAL_ACTOR, request));
  const systems = Object.entries(spec.systems).flatMap(([os, count]) => Array<string>(count).fill(os));
  for (const [index, os] of systems.entries()) {
    const address = `127.${subnet}.0.${index + 1}` as Address;
    const number = String(index + 1).padStart(2, '0');
    const { faults = [], osRelease } = FAULTY_HOSTS[address] ?? {};
    const { machine } = fleet.add(address, { os, hostname: `${name}-${number}`, faults, bootMs: spec.bootMs });
    if (osRelease !== undefined) machine.osRelease = osRelease;
    const accessDefaults = {
      ...{ remoteUser: undefined, sshPort: undefined, hostKeys: undefined },
      ...{ transport: undefined, source: undefined },
    };
    assertOk(await app.hosts.enrol(LOCAL_ACTOR, { ...accessDefaults, address, sshPrivKey: key, cluster }));
  }
}

async function labelFirstRing(app: App): Promise<void> {
  const { key, value = '' } = parseLabelFilter(FIRST_RING.label);
  for (const address of FIRST_RING.hosts)
    assertOk(await app.hosts.replaceLabels(LOCAL_ACTOR, { address: address as Address, labels: { [key]: value } }));
}

function formatDemoBanner({ url }: Service): string {
  const curl = `curl -su admin:${PASSWORD}`;
  const faultyHosts = Object.entries(FAULTY_HOSTS).map(
    ([address, { description }]) => `  ${address.padEnd(12)} ${description}`,
  );
  return [
    'Hostler demo: 50 simulated hosts in three clusters. The demo changes nothing outside this process and keeps no data.',
    '',
    `  Dashboard  ${url}/`,
    `  API        ${url}/api/v0/`,
    `  Docs       ${url}/docs`,
    `  Login      admin, ${PASSWORD}`,
    '',
    'Examples:',
    `  ${curl} ${url}/api/v0/hosts`,
    `  ${curl} ${url}/api/v0/cluster/web`,
    `  ${curl} ${url}/api/v0/host/127.81.0.9/status`,
    `  ${curl} ${url}/api/v0/health-checks`,
    `  ${curl} '${url}/api/v0/audit?limit=10'`,
    '',
    'An upgrade of the cluster web starts in 10 seconds. Follow it, start a restart of compute, and pause an operation by its ID from the list:',
    `  ${curl} ${url}/api/v0/operations`,
    `  ${curl} ${url}/api/v0/cluster/web/upgrade`,
    `  ${curl} -X PUT ${url}/api/v0/cluster/compute/restart`,
    `  ${curl} -X PUT ${url}/api/v0/operation/ID/pause`,
    '',
    'A restart of web fails immediately because 127.81.0.9 is unavailable. Exclude unhealthy hosts to restart the others:',
    `  ${curl} -H 'Content-Type: application/json' -X PUT ${url}/api/v0/cluster/web/restart -d '${EXCLUDE_UNHEALTHY}'`,
    '',
    'Hosts with a fault:',
    ...faultyHosts,
    '',
    'Events of the next two minutes appear below. Press Ctrl-C to stop the demo.',
  ].join('\n');
}

/** `hostler demo`: runs the server with simulated hosts. */
export async function runDemo({ environment, flags, file }: ConfigSources): Promise<void> {
  const rejectedFlags = (['data', 'store'] as const).filter(key => flags[key] !== undefined);
  if (rejectedFlags.length > 0)
    throw new OperatorError(`the demo uses temporary data; remove ${rejectedFlags.map(flagName).join(', ')}`);
  const data = mkdtempSync(path.join(tmpdir(), 'hostler-demo-'));
  const defaults = { HOSTLER_CHECK_INTERVAL_S: CHECK_INTERVAL_S, HOSTLER_LOG_LEVEL: 'warn' };
  const overrides = { HOSTLER_DATA: data, HOSTLER_STORE: 'sqlite', HOSTLER_ADMIN_PASSWORD: PASSWORD };
  try {
    const config = loadConfig({ environment: { ...defaults, ...environment, ...overrides }, flags, file });
    const log = createLog(config.log_level, process.stderr.isTTY === true);
    const fleet = new SimulatedFleet({ clock: systemClock, simulators: SIMULATORS });
    const service = await startService(config, log, { transport: fleet.transport });
    const key = new Secret(Buffer.from(generateKeyPair('demo').privateKey.reveal()).toString('base64'));
    for (const cluster of DEMO_CLUSTERS) await createDemoCluster(service.app, fleet, cluster, key);
    await labelFirstRing(service.app);
    printLine(formatDemoBanner(service));
    const context = { fleet, app: service.app };
    const stopScenario = runScenario(context, systemClock, description => printLine(`  ${description}`));
    stopOnSignals(async () => {
      stopScenario();
      await service.stop();
      rmSync(data, { recursive: true, force: true });
    }, log);
  } catch (error) {
    rmSync(data, { recursive: true, force: true });
    throw error;
  }
}
