import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { runAuthority } from '../certificates/certificate-authority.ts';
import type { ClientCertificate } from '../certificates/certificates.ts';
import { readTlsFiles } from '../http/json-request.ts';
import { serverAddress, serverPort } from '../real-hosts/loopback-address.ts';
import { runFolder } from '../real-hosts/run-folder.ts';
import type { MemberOptions } from './etcd.ts';
import { Etcd, EtcdMember } from './etcd.ts';

export interface EtcdOptions {
  readonly members?: 1 | 3;
  /** Requires client certificates. */
  readonly tls?: boolean;
}

// The wait before the first election dominates the start. A single member need not wait; three members on a
// busy machine need longer timeouts.
const TIMING = {
  1: ['--heartbeat-interval', '10', '--election-timeout', '50'],
  3: ['--heartbeat-interval', '50', '--election-timeout', '500'],
};

interface Certificates {
  readonly client: ClientCertificate;
  readonly settings: readonly string[];
}

async function makeCertificates(): Promise<Certificates> {
  const authority = await runAuthority();
  const { caPath } = authority;
  const server = authority.issue('/CN=etcd', [`IP:${await serverAddress()}`]);
  return {
    client: { caPath, ...authority.issue('/CN=etcd-client') },
    settings: [
      ...['--cert-file', server.cert, '--key-file', server.key],
      ...['--client-cert-auth', '--trusted-ca-file', caPath],
    ],
  };
}

let certificates: Promise<Certificates> | undefined;

/** Created once, because all servers share an address. */
function etcdCertificates(): Promise<Certificates> {
  certificates ??= makeCertificates();
  return certificates;
}

async function allocateMember(folder: string, name: string, scheme: string): Promise<MemberOptions> {
  const address = await serverAddress();
  return {
    name,
    dataFolder: path.join(folder, name),
    clientUrl: `${scheme}://${address}:${await serverPort()}`,
    peerUrl: `http://${address}:${await serverPort()}`,
  };
}

let count = 0;

/** Returns when the cluster accepts writes. */
export async function startEtcd({ members = 1, tls = false }: EtcdOptions = {}): Promise<Etcd> {
  const folder = path.join((await runFolder()).folder, `etcd${++count}`);
  mkdirSync(folder);
  const tlsFiles = tls ? await etcdCertificates() : undefined;
  const memberOptions: MemberOptions[] = [];
  for (let index = 0; index < members; index++)
    memberOptions.push(await allocateMember(folder, `m${index}`, tls ? 'https' : 'http'));
  const cluster = memberOptions.map(({ name, peerUrl }) => `${name}=${peerUrl}`).join(',');
  const settings = [...TIMING[members], '--initial-cluster', cluster, ...(tlsFiles?.settings ?? [])];
  const files = tlsFiles && readTlsFiles(tlsFiles.client);
  const etcdMembers = memberOptions.map(options => new EtcdMember(options, settings, files));
  // A new member waits a second for each peer whose port is open but does not respond yet, so members start
  // one after the other.
  for (const member of etcdMembers) {
    member.start();
    await member.waitForPeerListener();
  }
  await Promise.all(etcdMembers.map(member => member.waitUntilJoined()));
  return new Etcd(folder, etcdMembers, tlsFiles?.client);
}
