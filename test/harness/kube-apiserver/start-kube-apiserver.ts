import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Argv } from '../../../src/domain/command.ts';
import { runAuthority } from '../certificates/certificate-authority.ts';
import type { CertificatePaths } from '../certificates/certificates.ts';
import { startEtcd } from '../etcd/start-etcd.ts';
import { Daemon } from '../programs/daemon.ts';
import { runTool } from '../programs/run-tool.ts';
import { serverAddress, serverPort } from '../real-hosts/loopback-address.ts';
import { runFolder } from '../real-hosts/run-folder.ts';
import type { KubeApiserverSettings } from './kube-apiserver.ts';
import { KubeApiserver } from './kube-apiserver.ts';
import { kubernetesPrograms } from './kubernetes-programs.ts';

const API = 'kubeadm.k8s.io/v1beta2';

/**
 * Does the part of `kubeadm init` that joining nodes need: cluster-info and the permissions of bootstrap
 * tokens. Leaves no token.
 */
async function prepareForJoins(server: KubeApiserver, kubeadm: string): Promise<void> {
  const { body } = await server.request('/version');
  const { gitVersion } = body as { gitVersion: string };
  const [id, secret] = [randomBytes(3).toString('hex'), randomBytes(8).toString('hex')];
  const documents = [
    {
      apiVersion: API,
      kind: 'InitConfiguration',
      // kubeadm rejects loopback addresses and does not use this one: the kubeconfig has the address of the
      // server.
      localAPIEndpoint: { advertiseAddress: '10.96.0.1' },
      bootstrapTokens: [{ token: `${id}.${secret}`, ttl: '1m0s' }],
      // Prevents the detection of a container runtime.
      nodeRegistration: { name: 'none', criSocket: '/run/none.sock' },
    },
    // Prevents a version lookup on the internet.
    { apiVersion: API, kind: 'ClusterConfiguration', kubernetesVersion: gitVersion },
  ];
  const config = `${server.kubeconfigPath}.init`;
  writeFileSync(config, documents.map(document => `---\n${JSON.stringify(document)}\n`).join(''), {
    mode: 0o600,
  });
  const phase = ['init', 'phase', 'bootstrap-token', '--skip-token-print'];
  await runTool([kubeadm, ...phase, `--config=${config}`, `--kubeconfig=${server.kubeconfigPath}`]);
  const token = `/api/v1/namespaces/kube-system/secrets/bootstrap-token-${id}`;
  const { status } = await server.request(token, { method: 'DELETE' });
  if (status !== 200) throw new Error(`could not remove the kubeadm token: ${status}`);
}

export interface KubeApiserverOptions {
  /**
   * Controllers that compute disruption budgets, sign certificates and cluster-info, remove expired tokens
   * and create account tokens.
   */
  readonly controllers?: boolean;
}

const CONTROLLERS = 'disruption,csrapproving,csrsigning,csrcleaner,bootstrapsigner,tokencleaner,serviceaccount-token';
const START_MS = 60_000;
/** The server creates these namespaces after it reports ready. */
const NAMESPACES = ['default', 'kube-system', 'kube-public'];

let count = 0;

async function createSettings(): Promise<KubeApiserverSettings> {
  const folder = path.join((await runFolder()).folder, `kube-apiserver${++count}`);
  mkdirSync(folder, { mode: 0o700 });
  return {
    folder,
    url: `https://${await serverAddress()}:${await serverPort()}`,
    caPath: (await runAuthority()).caPath,
    adminToken: randomBytes(24).toString('hex'),
    unprivilegedToken: randomBytes(24).toString('hex'),
    kubeconfigPath: path.join(folder, 'kubeconfig'),
  };
}

const kubeconfig = ({ url, caPath, adminToken }: KubeApiserverSettings): string => {
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
  settings: KubeApiserverSettings,
  etcdUrl: string,
  accounts: CertificatePaths,
): Promise<Argv> {
  const { folder, url, caPath, adminToken, unprivilegedToken, kubeconfigPath } = settings;
  const { hostname, port } = new URL(url);
  const server = (await runAuthority()).issue('/CN=kube-apiserver', [`IP:${hostname}`]);
  const tokens = path.join(folder, 'tokens.csv');
  const tokenLines = [`${adminToken},admin,1,system:masters`, `${unprivilegedToken},powerless,2`];
  writeFileSync(tokens, `${tokenLines.join('\n')}\n`, { mode: 0o600 });
  writeFileSync(kubeconfigPath, kubeconfig(settings), { mode: 0o600 });
  return [
    program,
    ...[`--etcd-servers=${etcdUrl}`, `--bind-address=${hostname}`, `--advertise-address=${hostname}`],
    ...[`--secure-port=${port}`, `--tls-cert-file=${server.cert}`, `--tls-private-key-file=${server.key}`],
    ...[`--client-ca-file=${caPath}`, `--token-auth-file=${tokens}`, '--enable-bootstrap-token-auth'],
    ...['--authorization-mode=Node,RBAC', `--cert-dir=${folder}`, '--endpoint-reconciler-type=none'],
    ...[`--service-account-key-file=${accounts.cert}`, `--service-account-signing-key-file=${accounts.key}`],
    ...['--service-account-issuer=https://tests', '--service-cluster-ip-range=10.96.0.0/24'],
    // The plugin requires service accounts that no controller creates.
    '--disable-admission-plugins=ServiceAccount',
  ];
}

const controllersArgv = (
  program: string,
  { kubeconfigPath, caPath }: KubeApiserverSettings,
  keyPath: string,
  accounts: CertificatePaths,
): Argv => [
  program,
  ...[`--kubeconfig=${kubeconfigPath}`, `--controllers=${CONTROLLERS}`, '--leader-elect=false'],
  ...[`--cluster-signing-cert-file=${caPath}`, `--cluster-signing-key-file=${keyPath}`],
  ...['--port=0', '--secure-port=0', `--service-account-private-key-file=${accounts.key}`],
];

/** Returns when nodes can join. */
export async function startKubeApiserver({ controllers = false }: KubeApiserverOptions = {}): Promise<KubeApiserver> {
  const [programs, authority] = [await kubernetesPrograms(), await runAuthority()];
  const [settings, etcd] = [await createSettings(), await startEtcd()];
  const server = new KubeApiserver(settings, etcd);
  // Signs service account tokens.
  const accounts = authority.issue('/CN=accounts');
  const [etcdUrl = ''] = etcd.endpoints;
  const daemon = new Daemon(await serverArgv(programs['kube-apiserver'], settings, etcdUrl, accounts));
  server.addDaemon(daemon);
  const targets = ['/readyz', ...NAMESPACES.map(name => `/api/v1/namespaces/${name}`)];
  for (const target of targets)
    await daemon.waitUntilReady(async () => (await server.request(target)).status === 200, START_MS);
  if (controllers) {
    const argv = controllersArgv(programs['kube-controller-manager'], settings, authority.keyPath, accounts);
    server.addDaemon(new Daemon(argv));
    await prepareForJoins(server, programs.kubeadm);
  }
  return server;
}
