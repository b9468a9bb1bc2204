import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { ClientCertificate } from '../certificates/certificates.ts';
import { runAuthority } from '../certificates/run-authority.ts';
import { runFolder } from '../hosts/run-folder.ts';
import { tlsContentsOf } from '../http/json-request.ts';
import { serverAddress, serverPort } from '../programs/server-place.ts';
import { Etcd } from './etcd.ts';
import type { MemberPlace } from './etcd-member.ts';
import { EtcdMember } from './etcd-member.ts';

export interface EtcdOptions {
  readonly members?: 1 | 3;
  /** Clients then need a certificate of their own. */
  readonly tls?: boolean;
}

// What makes a start slow is the wait before the first election. A member that is alone need not wait for others; three on a busy
// machine must not take each other for dead.
const TIMING = {
  1: ['--heartbeat-interval', '10', '--election-timeout', '50'],
  3: ['--heartbeat-interval', '50', '--election-timeout', '500'],
};

interface Certificates {
  readonly client: ClientCertificate;
  readonly settings: readonly string[];
}

async function makeCertificates(): Promise<Certificates> {
  const { caPath, issue } = await runAuthority();
  const client = issue('/CN=etcd-client');
  const server = await issue('/CN=etcd', [await serverAddress()]);
  return {
    client: { caPath, ...(await client) },
    settings: [
      ...['--cert-file', server.cert, '--key-file', server.key],
      ...['--client-cert-auth', '--trusted-ca-file', caPath],
    ],
  };
}

let certificates: Promise<Certificates> | undefined;

/** Made once: all have the same address. */
function etcdCertificates(): Promise<Certificates> {
  certificates ??= makeCertificates();
  return certificates;
}

async function findPlace(folder: string, name: string, scheme: string): Promise<MemberPlace> {
  const address = await serverAddress();
  return {
    name,
    dataFolder: path.join(folder, name),
    clientUrl: `${scheme}://${address}:${await serverPort()}`,
    peerUrl: `http://${address}:${await serverPort()}`,
  };
}

let count = 0;

/** A cluster that can be written to. */
export async function startEtcd({ members = 1, tls = false }: EtcdOptions = {}): Promise<Etcd> {
  const folder = path.join((await runFolder()).folder, `etcd${++count}`);
  mkdirSync(folder);
  const secured = tls ? await etcdCertificates() : undefined;
  const places: MemberPlace[] = [];
  for (let index = 0; index < members; index++)
    places.push(await findPlace(folder, `m${index}`, tls ? 'https' : 'http'));
  const cluster = places.map(({ name, peerUrl }) => `${name}=${peerUrl}`).join(',');
  const settings = [...TIMING[members], '--initial-cluster', cluster, ...(secured?.settings ?? [])];
  const files = secured && tlsContentsOf(secured.client);
  const started = places.map(place => new EtcdMember(place, settings, files));
  // A new member asks the others who they are, and waits a second for each that is there and does not answer yet.
  for (const member of started) {
    member.start();
    await member.meetsPeers();
  }
  await Promise.all(started.map(member => member.takesPart()));
  return new Etcd(folder, started, secured?.client);
}
