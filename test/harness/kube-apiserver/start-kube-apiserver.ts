import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Argv } from '../../../src/domain/command.ts';
import type { CertificatePaths } from '../certificates/certificates.ts';
import { runAuthority } from '../certificates/run-authority.ts';
import { startEtcd } from '../etcd/start-etcd.ts';
import { runFolder } from '../hosts/run-folder.ts';
import { Daemon } from '../programs/daemon.ts';
import { serverAddress, serverPort } from '../programs/server-place.ts';
import type { KubeApiserverPlace } from './kube-apiserver.ts';
import { KubeApiserver } from './kube-apiserver.ts';
import { kubernetesPrograms } from './kubernetes-programs.ts';
import { prepareForJoins } from './prepare-for-joins.ts';

export interface KubeApiserverOptions {
  /** Those that keep the status of disruption budgets, sign certificates and cluster-info, remove tokens that are over and give accounts theirs. */
  readonly controllers?: boolean;
}

const CONTROLLERS =
  'disruption,csrapproving,csrsigning,csrcleaner,bootstrapsigner,tokencleaner,serviceaccount-token';
const START_MS = 60_000;
/** Where tests put things. The server makes them by itself, after it says that it is ready. */
const NAMESPACES = ['default', 'kube-system', 'kube-public'];

let count = 0;

async function makePlace(): Promise<KubeApiserverPlace> {
  const folder = path.join((await runFolder()).folder, `kube-apiserver${++count}`);
  mkdirSync(folder, { mode: 0o700 });
  return {
    folder,
    url: `https://${await serverAddress()}:${await serverPort()}`,
    caPath: (await runAuthority()).caPath,
    adminToken: randomBytes(24).toString('hex'),
    powerlessToken: randomBytes(24).toString('hex'),
    kubeconfigPath: path.join(folder, 'kubeconfig'),
  };
}

const kubeconfig = ({ url, caPath, adminToken }: KubeApiserverPlace): string => {
  const authority = readFileSync(caPath).toString('base64');
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'tests', cluster: { server: url, 'certificate-authority-data': authority } }],
    users: [{ name: 'admin', user: { token: adminToken } }],
    contexts: [{ name: 'tests', context: { cluster: 'tests', user: 'admin' } }],
    'current-context': 'tests',
  });
};

async function serverArgv(
  program: string,
  place: KubeApiserverPlace,
  etcdUrl: string,
  accounts: CertificatePaths,
): Promise<Argv> {
  const { folder, url, caPath, adminToken, powerlessToken, kubeconfigPath } = place;
  const { hostname, port } = new URL(url);
  const { issue } = await runAuthority();
  const server = await issue('/CN=kube-apiserver', [hostname]);
  const tokens = path.join(folder, 'tokens.csv');
  const known = [`${adminToken},admin,1,system:masters`, `${powerlessToken},powerless,2`];
  writeFileSync(tokens, `${known.join('\n')}\n`, { mode: 0o600 });
  writeFileSync(kubeconfigPath, kubeconfig(place), { mode: 0o600 });
  return [
    program,
    ...[`--etcd-servers=${etcdUrl}`, `--bind-address=${hostname}`, `--advertise-address=${hostname}`],
    ...[`--secure-port=${port}`, `--tls-cert-file=${server.cert}`, `--tls-private-key-file=${server.key}`],
    ...[`--client-ca-file=${caPath}`, `--token-auth-file=${tokens}`, '--enable-bootstrap-token-auth'],
    ...['--authorization-mode=Node,RBAC', `--cert-dir=${folder}`, '--endpoint-reconciler-type=none'],
    ...[`--service-account-key-file=${accounts.cert}`, `--service-account-signing-key-file=${accounts.key}`],
    ...['--service-account-issuer=https://tests', '--service-cluster-ip-range=10.96.0.0/24'],
    // Nobody makes the accounts that this would ask for.
    '--disable-admission-plugins=ServiceAccount',
  ];
}

const controllersArgv = (
  program: string,
  { kubeconfigPath, caPath }: KubeApiserverPlace,
  keyPath: string,
  accounts: CertificatePaths,
): Argv => [
  program,
  ...[`--kubeconfig=${kubeconfigPath}`, `--controllers=${CONTROLLERS}`, '--leader-elect=false'],
  ...[`--cluster-signing-cert-file=${caPath}`, `--cluster-signing-key-file=${keyPath}`],
  ...['--port=0', '--secure-port=0', `--service-account-private-key-file=${accounts.key}`],
];

/** A server that answers, ready for nodes. */
export async function startKubeApiserver({
  controllers = false,
}: KubeApiserverOptions = {}): Promise<KubeApiserver> {
  const [programs, authority] = [await kubernetesPrograms(), await runAuthority()];
  const [place, etcd] = [await makePlace(), await startEtcd()];
  const server = new KubeApiserver(place, etcd);
  // Signs the tokens of accounts.
  const accounts = await authority.issue('/CN=accounts');
  const [etcdUrl = ''] = etcd.endpoints;
  const daemon = new Daemon(await serverArgv(programs['kube-apiserver'], place, etcdUrl, accounts));
  server.own(daemon);
  const targets = ['/readyz', ...NAMESPACES.map(name => `/api/v1/namespaces/${name}`)];
  for (const target of targets)
    await daemon.ready(async () => (await server.request(target)).status === 200, START_MS);
  if (controllers) {
    const argv = controllersArgv(programs['kube-controller-manager'], place, authority.keyPath, accounts);
    server.own(new Daemon(argv));
    await prepareForJoins(server, programs.kubeadm);
  }
  return server;
}
