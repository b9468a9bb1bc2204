import { expect, test } from 'vitest';
import { parse } from 'yaml';
import type { MinimalRoot } from '../../../../test/harness/shells/minimal-root.ts';
import { describeInMinimalRoot, inMinimalRoot } from '../../../../test/harness/shells/minimal-root.ts';
import { KUBEADM_JOIN, KUBEADM_RESET, WRITE_JOIN_CONFIG } from './kubeadm-scripts.ts';

const SERVER = 'https://127.0.0.1:6443';
const TOKEN = 'abcdef.0123456789abcdef';
const HASHES = ['sha256:01', 'sha256:02'];
const FILE = '/run/hostler-join/kubeadm.yaml';
const KUBELET_CONF = '/etc/kubernetes/kubelet.conf';
const BOOTSTRAP_CONF = '/etc/kubernetes/bootstrap-kubelet.conf';

const kubeletConf = (server: string) =>
  `apiVersion: v1\nclusters:\n- cluster:\n    server: ${server}\n  name: default\n`;

/** A fake kubeadm with this configuration version; `join` is the script of its join command. */
const kubeadm = (version = 'v1beta3', join = ':') => `case $1 in
config) printf '%s\\n' 'apiVersion: kubeadm.k8s.io/${version}' 'caCertPath: /etc/kubernetes/pki/ca.crt' 'kind: JoinConfiguration' ;;
join) [ -s ${FILE} ] || exit 9; ${join} ;;
reset) rm -rf /etc/kubernetes ;;
esac`;

const prepare = (root: MinimalRoot, address = '127.0.0.9') =>
  root.run(['sh', '-c', WRITE_JOIN_CONFIG, 'sh', address, '127.0.0.1:6443', ...HASHES], `${TOKEN}\n`);
const join = (root: MinimalRoot) => root.run(['sh', '-c', KUBEADM_JOIN, 'sh', SERVER]);
const leave = (root: MinimalRoot) => root.run(['sh', '-c', KUBEADM_RESET, 'sh', SERVER]);

for (const programsFrom of ['busybox', 'this machine'] as const) {
  const rootWith = <T>(
    use: (root: MinimalRoot) => T,
    { kubeadmScript = kubeadm(), files = {} }: { kubeadmScript?: string | null; files?: Record<string, string> } = {},
  ) =>
    inMinimalRoot(
      {
        programsFrom,
        programs: ['mkdir', 'mv'],
        folders: ['/run'],
        files,
        tools: { systemctl: ':', ...(kubeadmScript !== null && { kubeadm: kubeadmScript }) },
      },
      use,
    );

  describeInMinimalRoot(`kubeadm join with the programs of ${programsFrom}`, () => {
    test.each([
      ['v1beta2', '127.0.0.9', { 'node-ip': '127.0.0.9' }],
      ['v1beta3', '2001:db8::1', { 'node-ip': '2001:db8::1' }],
      ['v1beta4', '2001:db8::1', [{ name: 'node-ip', value: '2001:db8::1' }]],
      ['v1', '127.0.0.9', [{ name: 'node-ip', value: '127.0.0.9' }]],
    ])('writes a %s configuration for %s that only root can read', (version, address, kubeletExtraArgs) =>
      rootWith(
        root => {
          for (const _ of ['once', 'twice']) expect(prepare(root, address)).toMatchObject({ exitCode: 0 });
          expect(parse(root.read(FILE))).toEqual({
            apiVersion: `kubeadm.k8s.io/${version}`,
            kind: 'JoinConfiguration',
            discovery: {
              bootstrapToken: { apiServerEndpoint: '127.0.0.1:6443', token: TOKEN, caCertHashes: HASHES },
            },
            nodeRegistration: { kubeletExtraArgs },
          });
          expect([root.mode(FILE), root.mode('/run/hostler-join')]).toEqual([0o600, 0o700]);
          expect(root.calls().join()).not.toContain('0123456789abcdef');
        },
        { kubeadmScript: kubeadm(version) },
      ),
    );

    test('fails if kubeadm does not report its configuration version', () =>
      rootWith(
        root => {
          const { exitCode, stderr } = prepare(root);
          expect([exitCode, String(stderr)]).toEqual([1, 'cannot determine the configuration version of kubeadm\n']);
          expect(root.has(FILE)).toBe(false);
        },
        { kubeadmScript: 'exit 1' },
      ));

    test.each([
      ['succeeds', ':', 0],
      ['fails', 'exit 3', 3],
    ])('removes the configuration when kubeadm join %s', (_label, joinScript, code) =>
      rootWith(
        root => {
          prepare(root);
          expect(join(root).exitCode).toBe(code);
          expect(root.has('/run/hostler-join')).toBe(false);
          expect(root.calls().slice(1)).toEqual(['systemctl enable kubelet', `kubeadm join --config ${FILE}`]);
        },
        { kubeadmScript: kubeadm('v1beta3', joinScript) },
      ),
    );

    test('resets an interrupted join first', () =>
      rootWith(
        root => {
          prepare(root);
          expect(join(root).exitCode).toBe(0);
          expect(root.calls().slice(2)).toEqual(['kubeadm reset --force', `kubeadm join --config ${FILE}`]);
        },
        { files: { [BOOTSTRAP_CONF]: '' } },
      ));

    test('restarts the kubelet of a host that has joined before', () =>
      rootWith(
        root => {
          expect([prepare(root).exitCode, join(root).exitCode]).toEqual([0, 0]);
          expect(root.has('/run/hostler-join')).toBe(false);
          expect(root.calls()).toEqual(['systemctl enable kubelet', 'systemctl restart kubelet']);
        },
        { files: { [KUBELET_CONF]: kubeletConf(SERVER) } },
      ));

    test('does not change a host of another cluster and reports it', () =>
      rootWith(
        root => {
          prepare(root);
          const { exitCode, stderr } = join(root);
          expect(exitCode).toBe(1);
          expect(String(stderr)).toContain('a node of another cluster, https://other:6443: remove it there');
          expect(leave(root).exitCode).toBe(0);
          expect(root.calls().filter(call => /reset|join|restart/.test(call))).toEqual([]);
        },
        { files: { [KUBELET_CONF]: kubeletConf('https://other:6443') } },
      ));
  });

  describeInMinimalRoot(`kubeadm reset with the programs of ${programsFrom}`, () => {
    const RESET = ['kubeadm reset --force', 'systemctl disable kubelet'];

    test.each<[label: string, files: Record<string, string>, calls: readonly string[]]>([
      ['has joined', { [KUBELET_CONF]: kubeletConf(SERVER) }, RESET],
      ['has an interrupted join', { [BOOTSTRAP_CONF]: '', [FILE]: '' }, RESET],
      ['never joined', { [FILE]: '' }, []],
      [
        'runs the control plane',
        { [KUBELET_CONF]: kubeletConf(SERVER), '/etc/kubernetes/manifests/kube-apiserver.yaml': '' },
        [],
      ],
    ])('resets a host only if needed, also when repeated: a host that %s', (_label, files, calls) =>
      rootWith(
        root => {
          expect([leave(root).exitCode, leave(root).exitCode]).toEqual([0, 0]);
          expect(root.calls()).toEqual(calls);
          expect(root.has('/run/hostler-join')).toBe(false);
        },
        { files },
      ),
    );

    test('does nothing on a host without kubeadm', () =>
      rootWith(
        root => {
          expect(leave(root).exitCode).toBe(0);
          expect(root.calls()).toEqual([]);
        },
        { kubeadmScript: null, files: { [KUBELET_CONF]: kubeletConf(SERVER) } },
      ));
  });
}
