import { expect, test } from 'vitest';
import { inFlannelRoot } from '../../../test/harness/shells/flannel-host.ts';
import type { TinyRoot } from '../../../test/harness/shells/tiny-root.ts';
import { describeInTinyRoot } from '../../../test/harness/shells/tiny-root.ts';
import type { Address } from '../../domain/addresses/address.ts';
import { lastLine } from '../../lib/sanitize.ts';
import type { CommandPlan } from '../command-plan.ts';
import type { FlanneldSettings } from './flannel.ts';
import { flanneldJoinPlan, flanneldLeavePlan } from './flannel.ts';

const HOST = { address: '127.0.0.1' as Address, hostname: 'host' };
const SETTINGS: FlanneldSettings = {
  name: 'one',
  options: { 'etcd-endpoints': 'http://etcd:2379', 'etcd-prefix': '/net' },
};
const OTHER: FlanneldSettings = { ...SETTINGS, name: 'other' };

function run(root: TinyRoot, { commands }: CommandPlan) {
  const ends = commands.map(({ argv }) => root.run(argv));
  return ends.find(({ exitCode }) => exitCode !== 0) ?? { exitCode: 0, stderr: new Uint8Array() };
}

const enter = (root: TinyRoot, settings = SETTINGS, host = HOST) =>
  run(root, flanneldJoinPlan(host, settings));
const leave = (root: TinyRoot, { name } = SETTINGS) => run(root, flanneldLeavePlan({ name }));
const startsOf = (root: TinyRoot) => root.tree()['/pretend/starts']?.match(/started/g)?.length ?? 0;

describeInTinyRoot('flanneld on a host', () => {
  test('gets variables that root alone reads, and a unit of ours', () => {
    inFlannelRoot({}, root => {
      expect(enter(root).exitCode).toBe(0);
      const { '/etc/hostler/flannel/flanneld.env': variables, ...tree } = root.tree();
      expect(variables?.split('\n')).toEqual([
        '600 # network one',
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

  test('is given no address of IPv6, nor one that is on none of its links', () => {
    const variablesOf = (address: string) =>
      inFlannelRoot({}, root => {
        enter(root, SETTINGS, { ...HOST, address: address as Address });
        return root.tree()['/etc/hostler/flannel/flanneld.env'];
      });
    expect(variablesOf('::1')).not.toMatch(/IFACE|PUBLIC/);
    expect(variablesOf('192.0.2.1')).toMatch(/^600 # network one\nFLANNELD_PUBLIC_IP="192.0.2.1"\n/);
  });

  test.each([
    ['its options', { ...SETTINGS, options: { 'etcd-endpoints': 'http://other:2379' } }],
    ['a file', { ...SETTINGS, files: { 'etcd-keyfile': '/etc/hostname' } }],
    ['its network', OTHER],
  ])('is started anew when %s changed, once', (_what, changed) => {
    inFlannelRoot({}, root => {
      for (const settings of [SETTINGS, SETTINGS, changed, changed]) enter(root, settings);
      expect(startsOf(root)).toBe(2);
    });
  });

  test('is started anew when it was broken off between writing and starting', () => {
    inFlannelRoot({}, root => {
      const changed = { ...SETTINGS, options: { 'etcd-prefix': '/other' } };
      enter(root);
      root.run(['sh', '-c', ': >/pretend/fault']);
      expect([enter(root, changed).exitCode, startsOf(root)]).toEqual([1, 1]);
      root.run(['rm', '/pretend/fault']);
      expect([enter(root, changed).exitCode, startsOf(root)]).toEqual([0, 2]);
    });
  });

  test('is started when it does not run', () => {
    inFlannelRoot({}, root => {
      enter(root);
      root.run(['rm', '/pretend/running']);
      enter(root);
      expect(startsOf(root)).toBe(2);
    });
  });

  test('is given the files that people have put there, at their paths, which stay when it leaves', () => {
    const files = {
      'etcd-cafile': '/etc/hostler/etcd/ca.pem',
      'etcd-keyfile': '/etc/hostler/flannel/the key',
    };
    const there = Object.fromEntries(Object.values(files).map(name => [name, 'of people']));
    inFlannelRoot({ files: there }, root => {
      const before = Object.keys(root.tree());
      expect(enter(root, { ...SETTINGS, files }).exitCode).toBe(0);
      expect(root.read('/pretend/variables').split('\n')).toEqual(
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
    [
      'another flanneld runs',
      { files: { '/pretend/foreign-flanneld.service': '' } },
      3,
      /^flanneld\.service is running/,
    ],
    ['there is no flanneld', { without: ['flanneld'] }, 4, /install flannel on the host$/],
    [
      'a file is missing',
      { files: { '/etc/etcd/ca.pem': '' } },
      4,
      /^\/etc\/etcd\/key\.pem does not exist on the host: flanneld needs it to connect to etcd$/,
    ],
  ])('is not set up where %s', (_what, options, exitCode, output) => {
    inFlannelRoot(options, root => {
      const before = root.tree();
      const files = { 'etcd-cafile': '/etc/etcd/ca.pem', 'etcd-keyfile': '/etc/etcd/key.pem' };
      const ended = enter(root, { ...SETTINGS, files });
      expect(ended.exitCode).toBe(exitCode);
      expect(lastLine(ended.stderr)).toMatch(output);
      expect([root.tree(), startsOf(root)]).toEqual([before, 0]);
    });
  });

  test('is found in /opt/bin too', () => {
    const links = { '/opt/bin/flanneld': '/bin/true' };
    inFlannelRoot({ without: ['flanneld'], links }, root => {
      expect(enter(root).exitCode).toBe(0);
      expect(root.tree()['/etc/systemd/system/hostler-flanneld.service']).toContain(
        'ExecStart=/opt/bin/flanneld\n',
      );
    });
  });

  test('leaves neither link nor routes behind, and those of others alone', () => {
    inFlannelRoot({ files: { '/sys/class/net/flannel.7/mtu': '', '/sys/class/net/eth0/mtu': '' } }, root => {
      enter(root);
      expect(leave(root).exitCode).toBe(0);
      const changes = root.calls().filter(call => /^ip .*delete/.test(call));
      expect(changes).toEqual(['ip link delete flannel.7', 'ip -4 route delete 10.1.7.0/24 via 127.0.0.2']);
    });
  });

  test('is not looked for where nothing of ours is', () => {
    inFlannelRoot({ files: { '/sys/class/net/flannel.1/mtu': '', '/run/flannel/subnet.env': 'x' } }, root => {
      expect(leave(root).exitCode).toBe(0);
      expect([root.calls(), root.has('/run/flannel/subnet.env')]).toEqual([[], true]);
    });
  });

  test('is taken away by no late leave of the network that it was in before', () => {
    inFlannelRoot({}, root => {
      const before = Object.keys(root.tree());
      for (const settings of [SETTINGS, OTHER]) expect(enter(root, settings).exitCode).toBe(0);
      const [tree, calls] = [root.tree(), root.calls()];
      expect(leave(root).exitCode).toBe(0);
      expect([root.tree(), root.calls()]).toEqual([tree, calls]);
      expect(leave(root, OTHER).exitCode).toBe(0);
      expect(Object.keys(root.tree()).filter(name => !name.startsWith('/pretend/'))).toEqual(
        before.filter(name => !name.startsWith('/pretend/')),
      );
    });
  });

  test('undoes what another network has left before it enters one', () => {
    inFlannelRoot({ files: { '/sys/class/net/flannel.7/mtu': '' } }, root => {
      enter(root);
      enter(root, OTHER);
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
