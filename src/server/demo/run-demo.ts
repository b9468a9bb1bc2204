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
import { PlainError } from '../../lib/errors/plain-error.ts';
import { createLog } from '../../lib/log.ts';
import { systemClock } from '../../lib/time/clock.ts';
import { SimulatedFleet } from '../../simulator/simulated-fleet.ts';
import type { Service } from '../compose.ts';
import { startService } from '../compose.ts';
import type { ConfigSources } from '../configuration/config.ts';
import { loadConfig } from '../configuration/config.ts';
import { flagName } from '../configuration/settings.ts';
import { say } from '../say.ts';
import { stopOnSignals } from '../shutdown.ts';
import type { DemoCluster } from './cast.ts';
import { CLUSTERS, FIRST_RING, ODDITIES } from './cast.ts';
import { FAKES } from './fakes.ts';
import { playStory } from './story.ts';

const PASSWORD = 'demo';
/** So that something is seen to happen within a minute. */
const CHECK_INTERVAL_S = '10';

/** 127.81.0.9 has failed, and uses the only slot by default. */
const EXCLUDE = JSON.stringify({ policy: { unhealthy: 'exclude', max_unavailable: 4 } });

function mustSucceed<T>(result: T | AppError): T {
  if (result instanceof AppError) throw new Error(result.detail);
  return result;
}

/** Creates a cluster with its simulated hosts. */
async function makeCluster(app: App, fleet: SimulatedFleet, { name, net, ...of }: DemoCluster, key: Secret) {
  const manager = of.containerManager ? toRecordName(of.containerManager) : null;
  const cluster = toRecordName(name);
  if (manager) {
    const request = { name: manager, type: 'trivial', options: {}, expected: undefined };
    mustSucceed(await app.containerManagers.put(LOCAL_ACTOR, request));
  }
  const request = { name: cluster, network: DEFAULT_NETWORK, containerManager: manager, expected: undefined };
  mustSucceed(await app.clusters.put(LOCAL_ACTOR, request));
  const systems = Object.entries(of.systems).flatMap(([os, count]) => Array<string>(count).fill(os));
  for (const [index, os] of systems.entries()) {
    const address = `127.${net}.0.${index + 1}` as Address;
    const number = String(index + 1).padStart(2, '0');
    const { faults = [], osRelease } = ODDITIES[address] ?? {};
    const { machine } = fleet.add(address, { os, hostname: `${name}-${number}`, faults, bootMs: of.bootMs });
    if (osRelease !== undefined) machine.osRelease = osRelease;
    const given = {
      ...{ remoteUser: undefined, sshPort: undefined, hostKeys: undefined },
      ...{ transport: undefined, source: undefined },
    };
    mustSucceed(await app.hosts.enrol(LOCAL_ACTOR, { ...given, address, sshPrivKey: key, cluster }));
  }
}

async function labelFirstRing(app: App): Promise<void> {
  const { key, value = '' } = parseLabelFilter(FIRST_RING.label);
  for (const address of FIRST_RING.hosts)
    mustSucceed(
      await app.hosts.replaceLabels(LOCAL_ACTOR, { address: address as Address, labels: { [key]: value } }),
    );
}

function banner({ url }: Service): string {
  const curl = `curl -su admin:${PASSWORD}`;
  const oddities = Object.entries(ODDITIES).map(([address, { shows }]) => `  ${address.padEnd(12)} ${shows}`);
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
    `  ${curl} -H 'Content-Type: application/json' -X PUT ${url}/api/v0/cluster/web/restart -d '${EXCLUDE}'`,
    '',
    'Hosts with a fault:',
    ...oddities,
    '',
    'Events of the next two minutes appear below. Press Ctrl-C to stop the demo.',
    '',
    '',
  ].join('\n');
}

/** `hostler demo`: runs the server with simulated hosts. */
export async function runDemo({ environment, flags, file }: ConfigSources): Promise<void> {
  const wanted = (['data', 'store'] as const).filter(key => flags[key] !== undefined);
  if (wanted.length > 0)
    throw new PlainError(`the demo uses temporary data; remove ${wanted.map(flagName).join(', ')}`);
  const data = mkdtempSync(path.join(tmpdir(), 'hostler-demo-'));
  const standard = { HOSTLER_CHECK_INTERVAL_S: CHECK_INTERVAL_S, HOSTLER_LOG_LEVEL: 'warn' };
  const own = { HOSTLER_DATA: data, HOSTLER_STORE: 'sqlite', HOSTLER_ADMIN_PASSWORD: PASSWORD };
  try {
    const config = loadConfig({ environment: { ...standard, ...environment, ...own }, flags, file });
    const log = createLog(config.log_level, process.stderr.isTTY === true);
    const fleet = new SimulatedFleet({ clock: systemClock, simulators: FAKES });
    const service = await startService(config, log, { transport: fleet.transport });
    const key = new Secret(Buffer.from(generateKeyPair('demo').privateKey.reveal()).toString('base64'));
    for (const cluster of CLUSTERS) await makeCluster(service.app, fleet, cluster, key);
    await labelFirstRing(service.app);
    say(banner(service).trimEnd());
    const stage = { fleet, app: service.app };
    const endStory = playStory(stage, systemClock, what => say(`  ${what}`));
    stopOnSignals(async () => {
      endStory();
      await service.stop();
      rmSync(data, { recursive: true, force: true });
    }, log);
  } catch (error) {
    rmSync(data, { recursive: true, force: true });
    throw error;
  }
}
