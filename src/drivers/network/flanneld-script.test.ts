import { expect, test } from 'vitest';
import { inFlannelRoot } from '../../../test/harness/flannel-host.ts';
import type { TinyRoot } from '../../../test/harness/tiny-root.ts';
import { describeInTinyRoot } from '../../../test/harness/tiny-root.ts';
import type { Address } from '../../domain/address.ts';
import { Secret } from '../../domain/secret.ts';
import { lastLine } from '../../lib/harmless.ts';
import type { HostTask } from '../host-task.ts';
import type { FlanneldSettings } from './flanneld-unit.ts';
import { enterTask, leaveTask } from './flanneld-unit.ts';

const HOST = { address: '127.0.0.1' as Address, hostname: 'host' };
const SETTINGS: FlanneldSettings = {
  options: { 'etcd-endpoints': 'http://etcd:2379', 'etcd-prefix': '/net' },
  files: {
    ca: { option: 'etcd-cafile', contents: new Secret('of the authority\n') },
    key: { option: 'etcd-keyfile', contents: new Secret('of the key\n') },
  },
};

function run(root: TinyRoot, { commands }: HostTask) {
  const ends = commands.map(({ argv, input }) => root.run(argv, input?.reveal()));
  return ends.find(({ exitCode }) => exitCode !== 0) ?? { exitCode: 0, stderr: new Uint8Array() };
}

const enter = (root: TinyRoot, settings = SETTINGS, host = HOST) => run(root, enterTask(host, settings));
const startsOf = (root: TinyRoot) => root.tree()['/pretend/starts']?.match(/started/g)?.length ?? 0;

describeInTinyRoot('flanneld on a host', () => {
  test('gets variables and files that root alone reads, and a unit of ours', () => {
    inFlannelRoot({}, root => {
      expect(enter(root).exitCode).toBe(0);
      const { '/etc/hostler/flannel/flanneld.env': variables, ...tree } = root.tree();
      expect(variables?.split('\n')).toEqual([
        '600 FLANNELD_IFACE=127.0.0.1',
        'FLANNELD_PUBLIC_IP="127.0.0.1"',
        'FLANNELD_ETCD_ENDPOINTS="http://etcd:2379"',
        'FLANNELD_ETCD_PREFIX="/net"',
        'FLANNELD_ETCD_CAFILE="/etc/hostler/flannel/ca.pem"',
        'FLANNELD_ETCD_KEYFILE="/etc/hostler/flannel/key.pem"',
        '',
      ]);
      expect(tree['/etc/hostler/flannel/key.pem']).toBe('600 of the key\n');
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
    expect(variablesOf('192.0.2.1')).toMatch(/^600 FLANNELD_PUBLIC_IP="192.0.2.1"\n/);
  });

  test.each([
    ['its options', { ...SETTINGS, options: { 'etcd-endpoints': 'http://other:2379' } }],
    ['a file', { ...SETTINGS, files: { key: { option: 'etcd-keyfile', contents: new Secret('new\n') } } }],
  ])('is started anew when %s changed, once', (_what, changed) => {
    inFlannelRoot({}, root => {
      for (const settings of [SETTINGS, SETTINGS, changed, changed]) enter(root, settings);
      expect(startsOf(root)).toBe(2);
    });
  });

  test('is started anew when it was broken off between writing and starting', () => {
    inFlannelRoot({}, root => {
      enter(root);
      const changed = { key: { option: 'etcd-keyfile', contents: new Secret('new\n') } };
      const { commands } = enterTask(HOST, { ...SETTINGS, files: { ...SETTINGS.files, ...changed } });
      run(root, { needs: [], hint: '', commands: commands.slice(0, -1) });
      expect(startsOf(root)).toBe(1);
      run(root, { needs: [], hint: '', commands });
      expect(startsOf(root)).toBe(2);
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

  test('keeps no copy of a file that it reads no longer', () => {
    inFlannelRoot({}, root => {
      enter(root);
      enter(root, { options: SETTINGS.options });
      expect(Object.keys(root.tree()).filter(name => name.endsWith('.pem'))).toEqual([]);
    });
  });

  test.each([
    [
      'another flanneld runs',
      { files: { '/pretend/foreign-flanneld.service': '' } },
      3,
      /^flanneld\.service runs/,
    ],
    ['there is no flanneld', { without: ['flanneld'] }, 4, /install flannel on the host$/],
  ])('is not set up where %s', (_what, options, exitCode, said) => {
    inFlannelRoot(options, root => {
      const before = root.tree();
      const ended = enter(root, { options: SETTINGS.options });
      expect(ended.exitCode).toBe(exitCode);
      expect(lastLine(ended.stderr)).toMatch(said);
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
      expect(run(root, leaveTask()).exitCode).toBe(0);
      const changes = root.calls().filter(call => /^ip .*delete/.test(call));
      expect(changes).toEqual(['ip link delete flannel.7', 'ip -4 route delete 10.1.7.0/24 via 127.0.0.2']);
    });
  });

  test('is not looked for where nothing of ours is', () => {
    inFlannelRoot({ files: { '/sys/class/net/flannel.1/mtu': '', '/run/flannel/subnet.env': 'x' } }, root => {
      expect(run(root, leaveTask()).exitCode).toBe(0);
      expect([root.calls(), root.has('/run/flannel/subnet.env')]).toEqual([[], true]);
    });
  });
});
