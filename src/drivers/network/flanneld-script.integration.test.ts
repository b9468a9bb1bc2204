import { expect, test } from 'vitest';
import { inFlannelRoot } from '../../../test/harness/shells/flannel-host.ts';
import type { MinimalRoot } from '../../../test/harness/shells/minimal-root.ts';
import { describeInMinimalRoot } from '../../../test/harness/shells/minimal-root.ts';
import type { Address } from '../../domain/addresses/address.ts';
import { lastLine } from '../../lib/sanitize.ts';
import type { CommandPlan } from '../command-plan.ts';
import type { FlanneldSettings } from './flannel.ts';
import { flanneldJoinPlan, flanneldLeavePlan } from './flannel.ts';

const HOST = { address: '127.0.0.1' as Address, hostname: 'host' };
const SETTINGS: FlanneldSettings = {
  name: 'main',
  options: { 'etcd-endpoints': 'http://etcd:2379', 'etcd-prefix': '/net' },
};
const OTHER: FlanneldSettings = { ...SETTINGS, name: 'other' };

function run(root: MinimalRoot, { commands }: CommandPlan) {
  const results = commands.map(({ argv }) => root.run(argv));
  return results.find(({ exitCode }) => exitCode !== 0) ?? { exitCode: 0, stderr: new Uint8Array() };
}

const join = (root: MinimalRoot, settings = SETTINGS, host = HOST) => run(root, flanneldJoinPlan(host, settings));
const leave = (root: MinimalRoot, { name } = SETTINGS) => run(root, flanneldLeavePlan(name));
const startsOf = (root: MinimalRoot) => root.tree()['/fake/starts']?.match(/started/g)?.length ?? 0;

describeInMinimalRoot('flanneld', () => {
  test('creates an environment file that only root can read, and a unit', () => {
    inFlannelRoot({}, root => {
      expect(join(root).exitCode).toBe(0);
      const { '/etc/hostler/flannel/flanneld.env': variables, ...tree } = root.tree();
      expect(variables?.split('\n')).toEqual([
        '600 # network main',
        'FLANNELD_IFACE=127.0.0.1',
        'FLANNELD_PUBLIC_IP="127.0.0.1"',
        'FLANNELD_ETCD_ENDPOINTS="http://etcd:2379"',
        'FLANNELD_ETCD_PREFIX="/net"',
        '',
      ]);
      const unit = tree['/etc/systemd/system/hostler-flanneld.service']?.split('\n');
      expect([unit?.[0], unit]).toEqual(['644 [Unit]', expect.arrayContaining(['ExecStart=/bin/flanneld'])]);
    });
  });

  test('sets no IPv6 address, and no interface for an address that is on no link', () => {
    const variablesOf = (address: string) =>
      inFlannelRoot({}, root => {
        join(root, SETTINGS, { ...HOST, address: address as Address });
        return root.tree()['/etc/hostler/flannel/flanneld.env'];
      });
    expect(variablesOf('::1')).not.toMatch(/IFACE|PUBLIC/);
    expect(variablesOf('192.0.2.1')).toMatch(/^600 # network main\nFLANNELD_PUBLIC_IP="192.0.2.1"\n/);
  });

  test.each([
    ['an option', { ...SETTINGS, options: { 'etcd-endpoints': 'http://other:2379' } }],
    ['a TLS file', { ...SETTINGS, files: { 'etcd-keyfile': '/etc/hostname' } }],
    ['the network', OTHER],
  ])('restarts once when %s changes', (_label, changed) => {
    inFlannelRoot({}, root => {
      for (const settings of [SETTINGS, SETTINGS, changed, changed]) join(root, settings);
      expect(startsOf(root)).toBe(2);
    });
  });

  test('restarts after an interruption between write and restart', () => {
    inFlannelRoot({}, root => {
      const changed = { ...SETTINGS, options: { 'etcd-prefix': '/other' } };
      join(root);
      root.run(['sh', '-c', ': >/fake/fault']);
      expect([join(root, changed).exitCode, startsOf(root)]).toEqual([1, 1]);
      root.run(['rm', '/fake/fault']);
      expect([join(root, changed).exitCode, startsOf(root)]).toEqual([0, 2]);
    });
  });

  test('starts again if it does not run', () => {
    inFlannelRoot({}, root => {
      join(root);
      root.run(['rm', '/fake/running']);
      join(root);
      expect(startsOf(root)).toBe(2);
    });
  });

  test('uses existing TLS files at their paths and keeps them on leave', () => {
    const files = {
      'etcd-cafile': '/etc/hostler/etcd/ca.pem',
      'etcd-keyfile': '/etc/hostler/flannel/the key',
    };
    const existingFiles = Object.fromEntries(Object.values(files).map(name => [name, 'existing']));
    inFlannelRoot({ files: existingFiles }, root => {
      const before = Object.keys(root.tree());
      expect(join(root, { ...SETTINGS, files }).exitCode).toBe(0);
      expect(root.read('/fake/variables').split('\n')).toEqual(
        expect.arrayContaining([
          'FLANNELD_ETCD_CAFILE=/etc/hostler/etcd/ca.pem',
          'FLANNELD_ETCD_KEYFILE=/etc/hostler/flannel/the key',
        ]),
      );
      expect(leave(root).exitCode).toBe(0);
      expect(Object.keys(root.tree())).toEqual(expect.arrayContaining(before));
      expect(root.has('/etc/hostler/flannel/flanneld.env')).toBe(false);
    });
  });

  test.each([
    ['another flanneld runs', { files: { '/fake/foreign-flanneld.service': '' } }, 3, /^flanneld\.service is running/],
    ['flanneld does not exist', { missingTools: ['flanneld'] }, 4, /install flannel on the host$/],
    [
      'a file is missing',
      { files: { '/etc/etcd/ca.pem': '' } },
      4,
      /^\/etc\/etcd\/key\.pem does not exist on the host: flanneld needs it to connect to etcd$/,
    ],
  ])('is not installed if %s', (_label, options, exitCode, output) => {
    inFlannelRoot(options, root => {
      const before = root.tree();
      const files = { 'etcd-cafile': '/etc/etcd/ca.pem', 'etcd-keyfile': '/etc/etcd/key.pem' };
      const result = join(root, { ...SETTINGS, files });
      expect(result.exitCode).toBe(exitCode);
      expect(lastLine(result.stderr)).toMatch(output);
      expect([root.tree(), startsOf(root)]).toEqual([before, 0]);
    });
  });

  test('is found in /opt/bin', () => {
    const links = { '/opt/bin/flanneld': '/bin/true' };
    inFlannelRoot({ missingTools: ['flanneld'], links }, root => {
      expect(join(root).exitCode).toBe(0);
      expect(root.tree()['/etc/systemd/system/hostler-flanneld.service']).toContain('ExecStart=/opt/bin/flanneld\n');
    });
  });

  test('removes its link and routes on leave, and no others', () => {
    inFlannelRoot({ files: { '/sys/class/net/flannel.7/mtu': '', '/sys/class/net/eth0/mtu': '' } }, root => {
      join(root);
      expect(leave(root).exitCode).toBe(0);
      const changes = root.calls().filter(call => /^ip .*delete/.test(call));
      expect(changes).toEqual(['ip link delete flannel.7', 'ip -4 route delete 10.1.7.0/24 via 127.0.0.2']);
    });
  });

  test('changes nothing on leave if Hostler did not install it', () => {
    inFlannelRoot({ files: { '/sys/class/net/flannel.1/mtu': '', '/run/flannel/subnet.env': 'x' } }, root => {
      expect(leave(root).exitCode).toBe(0);
      expect([root.calls(), root.has('/run/flannel/subnet.env')]).toEqual([[], true]);
    });
  });

  test('stays installed when the host leaves its previous network later', () => {
    inFlannelRoot({}, root => {
      const before = Object.keys(root.tree());
      for (const settings of [SETTINGS, OTHER]) expect(join(root, settings).exitCode).toBe(0);
      const [tree, calls] = [root.tree(), root.calls()];
      expect(leave(root).exitCode).toBe(0);
      expect([root.tree(), root.calls()]).toEqual([tree, calls]);
      expect(leave(root, OTHER).exitCode).toBe(0);
      expect(Object.keys(root.tree()).filter(name => !name.startsWith('/fake/'))).toEqual(
        before.filter(name => !name.startsWith('/fake/')),
      );
    });
  });

  test('removes the installation for another network before it joins', () => {
    inFlannelRoot({ files: { '/sys/class/net/flannel.7/mtu': '' } }, root => {
      join(root);
      join(root, OTHER);
      expect(root.calls().filter(call => /^ip .*delete|disable|restart/.test(call))).toEqual([
        'systemctl restart --no-block hostler-flanneld.service',
        'systemctl disable --now hostler-flanneld.service',
        'ip link delete flannel.7',
        'ip -4 route delete 10.1.7.0/24 via 127.0.0.2',
        'systemctl restart --no-block hostler-flanneld.service',
      ]);
    });
  });
});
